import type { IncomingMessage } from 'node:http';
import type { ZodType } from 'zod';
import type { Reply } from './reply.ts';
import type { wireSchemas } from './wire-schemas.ts';

export type RouteContext = {
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  requestId: string;
  /** The body as it came; empty for a request without one. Rejects when it is over the limit. */
  readBody: () => Promise<string>;
  /** Settles when the client has gone. */
  clientGone: AbortSignal;
};

/** What the OpenAPI document says of a route. `problems` maps a status to the codes it comes with. */
export type RouteDoc = {
  summary: string;
  headers?: readonly string[];
  query?: readonly string[];
  body?: ZodType;
  answers: Readonly<Record<number, { description: string; schema?: keyof typeof wireSchemas }>>;
  problems?: Readonly<Record<number, string>>;
};

/** `keyed` needs the API key, `local` is answered to this machine only, `open` to everybody. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As in the OpenAPI document: /v1/transfers/{id}. */
  path: string;
  access: 'keyed' | 'local' | 'open';
  doc: RouteDoc;
  handle: (context: RouteContext) => Promise<Reply>;
};

export type CompiledRoute = Route & { pattern: RegExp; names: string[] };

export function compileRoute(route: Route): CompiledRoute {
  const names: string[] = [];
  const source = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  return { ...route, names, pattern: new RegExp(`^${source}$`) };
}

export function matchRoute(
  routes: readonly CompiledRoute[],
  method: string,
  path: string,
): { kind: 'found'; route: Route; params: Record<string, string> } | { kind: 'no_method' } | { kind: 'no_path' } {
  let pathKnown = false;
  for (const route of routes) {
    const match = route.pattern.exec(path);
    if (match === null) continue;
    pathKnown = true;
    if (route.method !== method) continue;
    const params = Object.fromEntries(
      route.names.map((name, place) => [name, decodeURIComponent(match[place + 1] ?? '')]),
    );
    return { kind: 'found', route, params };
  }
  return pathKnown ? { kind: 'no_method' } : { kind: 'no_path' };
}
