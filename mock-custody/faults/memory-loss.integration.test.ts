import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBody } from '../test-support/custody-client.ts';
import { type CustodyUnderTest, startCustodyUnderTest } from '../test-support/custody-under-test.ts';
import { waitUntil } from '../test-support/wait-until.ts';

let custody: CustodyUnderTest;
beforeAll(async () => {
  custody = await startCustodyUnderTest();
});
afterAll(() => custody.close());

async function isOpen(): Promise<boolean> {
  return (await custody.client.get('/v1/balances')).status === 200;
}

async function kinds(externalId: string): Promise<string[]> {
  return (await custody.client.log(externalId)).map(({ kind }) => kind);
}

async function confirmed(externalId: string): Promise<void> {
  await waitUntil('confirmed', async () => (await custody.client.find(externalId))[0]?.status === 'confirmed');
}

test('what was forgotten is unknown by key, reference and list, and the log still has it', async () => {
  const kept = createBody();
  await custody.client.create(kept);
  await confirmed(kept.externalId);
  const since = new Date().toISOString();
  const lost = createBody();
  await custody.client.create(lost);
  await confirmed(lost.externalId);
  await custody.client.control('POST', '/faults', { kind: 'forget_since', since, downtimeMs: 100 });
  await waitUntil('open again', isOpen);
  expect(await custody.client.find(lost.externalId)).toEqual([]);
  expect(await custody.client.find(kept.externalId)).toHaveLength(1);
  expect(await kinds(lost.externalId)).toEqual(['created', 'signed', 'broadcast', 'confirmed', 'forgotten']);
});

test('by default it stays closed until the not-after of everything forgotten has passed', async () => {
  const since = new Date().toISOString();
  const request = createBody({ notAfter: new Date(Date.now() + 1_500).toISOString() });
  expect((await custody.client.create(request)).status).toBe(201);
  await custody.client.control('POST', '/faults', { kind: 'forget_since', since });
  expect((await custody.client.create(request)).status).toBe(503);
  await waitUntil('open again', isOpen);
  // The same bytes can make nothing any more.
  expect((await custody.client.create(request)).status).toBe(410);
  expect((await kinds(request.externalId)).filter((kind) => kind === 'created')).toHaveLength(1);
});

test('the signer’s journal goes on for a transfer that was forgotten, and pays it at most once', async () => {
  const address = privateKeyToAddress(generatePrivateKey());
  const since = new Date().toISOString();
  const request = createBody({ address, amount: '0.2' });
  await custody.client.control('POST', '/faults', { kind: 'stuck', externalId: request.externalId, delayMs: 400 });
  await custody.client.create(request);
  await waitUntil('signed', async () => (await kinds(request.externalId)).includes('signed'));
  await custody.client.control('POST', '/faults', { kind: 'forget_since', since, downtimeMs: 100 });
  await waitUntil(
    'paid',
    async () => (await custody.chain.client.getBalance({ address })) === 200_000_000_000_000_000n,
  );
  expect(await custody.client.find(request.externalId)).toEqual([]);
});

test('a restored copy shows an old state, then learns from the journal, and signs nothing twice', async () => {
  const address = privateKeyToAddress(generatePrivateKey());
  const request = createBody({ address, amount: '0.3' });
  await custody.client.control('POST', '/faults', { kind: 'stuck', externalId: request.externalId, delayMs: 300 });
  await custody.client.create(request);
  await waitUntil('signed', async () => (await kinds(request.externalId)).includes('signed'));
  const copyOf = new Date().toISOString();
  await confirmed(request.externalId);
  await custody.client.control('POST', '/faults', {
    kind: 'restore_copy',
    since: copyOf,
    downtimeMs: 50,
    delayMs: 700,
  });
  await waitUntil('open again', isOpen);
  expect(await custody.client.find(request.externalId)).toMatchObject([{ status: 'signed' }]);
  await confirmed(request.externalId);
  expect(await custody.chain.client.getBalance({ address })).toBe(300_000_000_000_000_000n);
  expect((await kinds(request.externalId)).filter((kind) => kind === 'signed')).toHaveLength(1);
});
