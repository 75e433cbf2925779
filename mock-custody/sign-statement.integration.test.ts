import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wireSchemas } from './http/wire-schemas.ts';
import { profileNames } from './profiles.ts';
import { loadStatementKey } from './statement-key.ts';
import { openDatabase } from './store/custody-database.ts';
import { createBody, type Seen } from './test-support/custody-client.ts';
import { type CustodyUnderTest, startCustodyUnderTest } from './test-support/custody-under-test.ts';
import { waitUntil } from './test-support/wait-until.ts';

let custody: CustodyUnderTest;
beforeAll(async () => {
  custody = await startCustodyUnderTest();
});
afterAll(() => custody.close());

async function isOpen(): Promise<boolean> {
  return (await custody.client.get('/v1/balances')).status === 200;
}

function codeOf(seen: Seen): unknown {
  return seen.status === 'broken' ? seen.why : JSON.parse(seen.text).code;
}

test('what is signed names the reference, the key verifies it, and asking again signs again', async () => {
  const externalId = randomUUID();
  const first = await custody.client.askStatement(externalId);
  expect(first.status).toBe(201);
  const { body, signature, publicKey } = wireSchemas.Statement.strict().parse(first.body);
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  expect(verify(null, Buffer.from(body), key, Buffer.from(signature, 'base64'))).toBe(true);
  expect(JSON.parse(body)).toMatchObject({ statement: 'no_transfer', externalId, made: false, willMake: false });
  const again = wireSchemas.Statement.parse((await custody.client.askStatement(externalId)).body);
  expect(Date.parse(JSON.parse(again.body).signedAt)).toBeGreaterThanOrEqual(Date.parse(JSON.parse(body).signedAt));
  expect((await custody.client.log(externalId)).map(({ kind }) => kind)).toEqual(['closed']);
});

test('what was signed is kept: no kind of provider makes anything under it, under no key and after no loss of memory', async () => {
  const request = createBody();
  const since = new Date(Date.now() - 1_000).toISOString();
  await custody.client.askStatement(request.externalId);
  for (const profile of profileNames) {
    await custody.client.control('PUT', '/profile', { profile });
    expect(codeOf(await custody.client.create(request, { key: randomUUID() })), profile).toBe('reference_closed');
  }
  await custody.client.control('PUT', '/profile', { profile: 'replays' });
  await custody.client.control('POST', '/faults', { kind: 'forget_since', since, downtimeMs: 50 });
  await waitUntil('open again', isOpen);
  expect(codeOf(await custody.client.create(request))).toBe('reference_closed');
  expect(await custody.client.find(request.externalId)).toEqual([]);
});

test('a request that is executed late finds the reference closed', async () => {
  const request = createBody();
  const { externalId } = request;
  await custody.client.control('POST', '/faults', { kind: 'execute_late', externalId, delayMs: 200 });
  const silent = custody.client.create(request, { timeoutMs: 300 });
  await waitUntil('it arrived', async () =>
    (await custody.client.log(externalId)).some(({ kind }) => kind === 'fault'),
  );
  expect((await custody.client.askStatement(externalId)).status).toBe(201);
  await silent;
  const seen = async () => JSON.stringify((await custody.client.control('GET', '/requests')).body);
  await waitUntil('it was executed', async () => new RegExp(`${externalId}[^}]*"closed"`).test(await seen()));
  expect(await custody.client.find(externalId)).toEqual([]);
});

test('nothing is signed where there is a transfer, even if it was forgotten since', async () => {
  const since = new Date().toISOString();
  const { externalId } = createBody();
  await custody.client.create(createBody({ externalId }));
  expect(await custody.client.askStatement(externalId)).toMatchObject({
    status: 409,
    body: { code: 'duplicate_reference', externalId },
  });
  await custody.client.control('POST', '/faults', { kind: 'forget_since', since, downtimeMs: 50 });
  await waitUntil('open again', isOpen);
  expect(await custody.client.find(externalId)).toEqual([]);
  expect((await custody.client.askStatement(externalId)).status).toBe(409);
});

test('a transfer and a statement that are asked for at once never both come', async () => {
  const rounds = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const request = createBody();
      const [made, said] = await Promise.all([
        custody.client.create(request),
        custody.client.askStatement(request.externalId),
      ]);
      return `${made.status} ${said.status}`;
    }),
  );
  expect(rounds.filter((one) => one !== '201 409' && one !== '422 201')).toEqual([]);
});

test('a key of its own is made once, and one that is given is used', async () => {
  const database = openDatabase(custody.database.url);
  const own = await loadStatementKey({ database }, { given: undefined });
  expect((await loadStatementKey({ database }, { given: undefined })).publicText).toBe(own.publicText);
  const given = own.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  expect((await loadStatementKey({ database }, { given })).publicText).toBe(own.publicText);
  await database.end();
});
