import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPerson, TEST_ORIGIN, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import { openSeededWeb } from './seeded-web.test-support.ts';

let database: TestDatabase;
let web: TestWeb;
let close: () => Promise<void>;
let alice: TestPerson;
let olga: TestPerson;

beforeAll(async () => {
  ({ database, web, close } = await openSeededWeb());
  alice = web.as(await openPerson(database.db, { balances: { USDC: 10_000_000_000n } }));
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
});
afterAll(() => close());

/** A query string makes it a call that the adapter answers. */
async function ask(search: string, person: TestPerson | null, headers: Record<string, string>, body: string) {
  const cookie: Record<string, string> = person === null ? {} : { cookie: person.cookie };
  const response = await fetch(`${web.url}/api/trpc/withdrawal.request${search}`, {
    method: 'POST',
    headers: { origin: TEST_ORIGIN, 'content-type': 'application/json', ...cookie, ...headers },
    body,
  });
  const text = await response.text();
  const shown = ['content-type', 'cache-control', 'vary', 'retry-after', 'content-security-policy'];
  return {
    status: response.status,
    headers: shown.map((name) => response.headers.get(name)),
    body: JSON.parse(text.replace(/"requestId":"[^"]+"/, '"requestId":"of this call"')),
  };
}

test('answers and refuses a request for a withdrawal exactly as the adapter of tRPC does', async () => {
  const address = `0x${randomUUID().replaceAll('-', '')}aabbccdd`;
  const [key, given] = [randomUUID(), JSON.stringify({ asset: 'USDC', network: 'ethereum', address, amount: '10' })];
  const first = await ask('', alice, { 'idempotency-key': key }, given);
  expect(first).toMatchObject({ status: 200, body: { result: { data: { replayed: false } } } });
  const calls: [TestPerson | null, Record<string, string>, string, number][] = [
    [alice, { 'idempotency-key': key }, given, 200],
    [alice, { 'idempotency-key': key }, 'no JSON', 422],
    [alice, { 'idempotency-key': key }, given.replace('"10"', '"11"'), 422],
    [alice, { 'idempotency-key': randomUUID() }, '', 400],
    [alice, {}, given, 400],
    [olga, { 'idempotency-key': randomUUID() }, given, 403],
    [null, { 'idempotency-key': randomUUID() }, given, 401],
  ];
  for (const [person, headers, body, status] of calls) {
    const ours = await ask('', person, headers, body);
    expect({ status: ours.status, body }).toEqual({ status, body });
    expect(ours).toEqual(await ask('?by=adapter', person, headers, body));
  }
});
