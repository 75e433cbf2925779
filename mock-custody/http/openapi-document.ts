import { z } from 'zod';
import type { Route } from './route.ts';
import { wireSchemas } from './wire-schemas.ts';

/** The OpenAPI 3.1 document, made from the routes that are served: what is not in it cannot be asked. */
export function openApiDocument(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const methods = paths[route.path] ?? {};
    methods[route.method.toLowerCase()] = operation(route);
    paths[route.path] = methods;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Custody API',
      version: '1.0.0',
      description: 'Pays crypto assets out of hot wallets. Amounts are decimal texts in whole units of the asset.',
    },
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(Object.entries(wireSchemas).map(([name, schema]) => [name, jsonSchema(schema)])),
    },
  };
}

function operation(route: Route): Record<string, unknown> {
  const { doc } = route;
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = (doc.query ?? []).map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  const inHeader = (doc.headers ?? []).map((name) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  }));
  const keyed = route.access === 'keyed';
  const problems = keyed
    ? { ...doc.problems, 401: 'unauthorized', 503: 'maintenance; Retry-After says when' }
    : doc.problems;
  return {
    summary: doc.summary,
    tags: [route.path.split('/')[1]],
    ...(keyed ? { security: [{ apiKey: [] }] } : {}),
    parameters: [...inPath, ...inQuery, ...inHeader],
    ...(doc.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(doc.body) } } } }),
    responses: {
      ...Object.fromEntries(Object.entries(doc.answers).map(([status, answer]) => [status, content(answer)])),
      ...Object.fromEntries(Object.entries(problems ?? {}).map(([status, codes]) => [status, problemContent(codes)])),
    },
  };
}

function content(answer: { description: string; schema?: keyof typeof wireSchemas }): Record<string, unknown> {
  const schema = answer.schema === undefined ? { type: 'object' } : { $ref: `#/components/schemas/${answer.schema}` };
  return { description: answer.description, content: { 'application/json': { schema } } };
}

function problemContent(codes: string): Record<string, unknown> {
  return {
    description: codes,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function jsonSchema(schema: z.ZodType): unknown {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
