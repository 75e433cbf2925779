import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBody } from '../test-support/custody-client.ts';
import { type CustodyUnderTest, startCustodyUnderTest } from '../test-support/custody-under-test.ts';
import { wireSchemas } from './wire-schemas.ts';

type Document = { openapi: string; paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };

let custody: CustodyUnderTest;
let document: Document;
beforeAll(async () => {
  custody = await startCustodyUnderTest();
  document = JSON.parse(JSON.stringify((await custody.client.get('/openapi.json')).body));
});
afterAll(() => custody.close());

test('every operation that is answered is in the document, and no other', () => {
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(document.openapi).toBe('3.1.0');
  expect(documented.toSorted()).toEqual([...custody.operations].toSorted());
});

test('the answers have the documented shapes and statuses', async () => {
  const request = createBody();
  const first = await custody.client.create(request);
  expect(document.paths['/v1/transfers']?.post?.responses).toHaveProperty(String(first.status));
  if (first.status === 'broken') throw new Error('no answer');
  const made = wireSchemas.Transfer.strict().parse(JSON.parse(first.text));
  const shapes = [
    [`/v1/transfers/${made.id}`, wireSchemas.Transfer.strict()],
    ['/v1/transfers?limit=1', wireSchemas.TransferPage.strict()],
    ['/v1/balances', wireSchemas.Balances.strict()],
    ['/v1/capabilities', wireSchemas.Capabilities.strict()],
    ['/v1/transfers/nobody', wireSchemas.Problem.strict()],
    ['/control/log', wireSchemas.LogPage.strict()],
  ] as const;
  for (const [path, schema] of shapes)
    expect(schema.safeParse((await custody.client.get(path)).body).error).toBeUndefined();
});

test('every problem that is documented names its codes', () => {
  for (const methods of Object.values(document.paths))
    for (const { responses } of Object.values(methods))
      for (const response of Object.values(responses)) expect(response).toHaveProperty('description');
});

test('a path or method that is not documented is not answered', async () => {
  expect((await custody.client.get('/v2/transfers')).status).toBe(404);
  expect((await custody.client.control('DELETE', '/log')).status).toBe(405);
});
