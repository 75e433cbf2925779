import { parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createBody, type Transfer } from './test-support/custody-client.ts';
import { type CustodyUnderTest, startCustodyUnderTest } from './test-support/custody-under-test.ts';
import { waitUntil } from './test-support/wait-until.ts';

const erc20 = parseAbi(['function balanceOf(address) view returns (uint256)']);

let custody: CustodyUnderTest;
beforeAll(async () => {
  custody = await startCustodyUnderTest({ privateChain: true });
});
afterAll(() => custody.close());
afterEach(async () => {
  await custody.client.control('DELETE', '/faults');
  await custody.chain.client.setAutomine(true);
});

async function reach(externalId: string, status: Transfer['status']): Promise<Transfer> {
  return waitUntil(`${externalId} is ${status}`, async () => {
    const [transfer] = await custody.client.find(externalId);
    return transfer?.status === status ? transfer : null;
  });
}

async function kinds(externalId: string): Promise<string[]> {
  return (await custody.client.log(externalId)).map(({ kind }) => kind);
}

function somebodyNew(): `0x${string}` {
  return privateKeyToAddress(generatePrivateKey());
}

test('ether arrives, once, under the hash that was named', async () => {
  const address = somebodyNew();
  const request = createBody({ address, amount: '0.25' });
  await custody.client.create(request);
  const transfer = await reach(request.externalId, 'confirmed');
  expect(await custody.chain.client.getBalance({ address })).toBe(250_000_000_000_000_000n);
  const hash = transfer.transactions[0]?.hash ?? '';
  const receipt = await custody.chain.client.getTransactionReceipt({ hash: `0x${hash.slice(2)}` });
  expect(receipt).toMatchObject({ status: 'success', to: address.toLowerCase() });
  expect(await kinds(request.externalId)).toEqual(['created', 'signed', 'broadcast', 'confirmed']);
});

test('tokens arrive in their own decimals', async () => {
  const address = somebodyNew();
  const request = createBody({ asset: 'USDC', address, amount: '12.345678' });
  await custody.client.create(request);
  await reach(request.externalId, 'confirmed');
  const balance = await custody.chain.client.readContract({
    address: custody.chain.tokens.usdc,
    abi: erc20,
    functionName: 'balanceOf',
    args: [address],
  });
  expect(balance).toBe(12_345_678n);
});

test('fifty transfers at once take fifty numbers of the lane without a gap', async () => {
  const requests = Array.from({ length: 50 }, () => createBody());
  await Promise.all(requests.map((request) => custody.client.create(request)));
  const nonces: number[] = [];
  for (const { externalId } of requests)
    nonces.push((await reach(externalId, 'confirmed')).transactions[0]?.nonce ?? -1);
  nonces.sort((a, b) => a - b);
  expect(nonces).toEqual(nonces.map((_, place) => (nonces[0] ?? 0) + place));
});

test('a transfer becomes final when enough blocks stand on it', async () => {
  const request = createBody();
  await custody.client.create(request);
  expect((await reach(request.externalId, 'confirmed')).final).toBe(false);
  await custody.chain.client.mine({ blocks: 3 });
  await waitUntil('final', async () => (await custody.client.find(request.externalId))[0]?.final === true);
});

test('a transaction that the chain fails is a failed transfer, and nobody was paid', async () => {
  const address = somebodyNew();
  const request = createBody({ asset: 'USDT', address, amount: '3' });
  await custody.client.control('POST', '/faults', { kind: 'revert_on_chain', externalId: request.externalId });
  await custody.client.create(request);
  expect(await reach(request.externalId, 'failed')).toMatchObject({ failureCode: 'transaction_failed' });
  const balance = await custody.chain.client.readContract({
    address: custody.chain.tokens.usdt,
    abi: erc20,
    functionName: 'balanceOf',
    args: [address],
  });
  expect(balance).toBe(0n);
});

test('a replacement is another hash under the same number, and one of them is paid', async () => {
  const address = somebodyNew();
  await custody.chain.client.setAutomine(false);
  const request = createBody({ address, amount: '0.5' });
  await custody.client.create(request);
  const waiting = await reach(request.externalId, 'broadcast');
  expect((await custody.client.control('POST', `/transfers/${waiting.id}/replace`)).status).toBe(201);
  await waitUntil('both are out', async () => {
    const [transfer] = await custody.client.find(request.externalId);
    return transfer?.transactions.length === 2 && transfer.transactions.every(({ status }) => status === 'broadcast');
  });
  await custody.chain.client.mine({ blocks: 1 });
  const transfer = await reach(request.externalId, 'confirmed');
  expect(transfer.transactions.map(({ status }) => status).toSorted()).toEqual(['confirmed', 'replaced']);
  expect(new Set(transfer.transactions.map(({ nonce }) => nonce)).size).toBe(1);
  expect(await custody.chain.client.getBalance({ address })).toBe(500_000_000_000_000_000n);
});

test('a transfer that a reorg drops is broadcast again from the stored bytes and paid once', async () => {
  const address = somebodyNew();
  const request = createBody({ address, amount: '0.125' });
  await custody.client.create(request);
  const before = await reach(request.externalId, 'confirmed');
  await custody.chain.client.setAutomine(false);
  await custody.chain.client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({
    method: 'anvil_reorg',
    params: [1, []],
  });
  await reach(request.externalId, 'broadcast');
  await custody.chain.client.setAutomine(true);
  await custody.chain.client.mine({ blocks: 1 });
  const after = await reach(request.externalId, 'confirmed');
  expect(after.transactions.map(({ hash }) => hash)).toEqual(before.transactions.map(({ hash }) => hash));
  expect(await custody.chain.client.getBalance({ address })).toBe(125_000_000_000_000_000n);
  expect(await kinds(request.externalId)).toEqual([
    'created',
    'signed',
    'broadcast',
    'confirmed',
    'reorged',
    'confirmed',
  ]);
});

test('a chain that comes back older is given every stored transaction again', async () => {
  const snapshot = await custody.chain.client.snapshot();
  const address = somebodyNew();
  const requests = Array.from({ length: 5 }, () => createBody({ address, amount: '0.01' }));
  for (const request of requests) await custody.client.create(request);
  for (const { externalId } of requests) await reach(externalId, 'confirmed');
  await custody.chain.client.mine({ blocks: 5 });
  await waitUntil('all final', async () =>
    (await Promise.all(requests.map(({ externalId }) => custody.client.find(externalId)))).every(
      ([transfer]) => transfer?.final === true,
    ),
  );
  await custody.chain.client.revert({ id: snapshot });
  await waitUntil(
    'paid again on the older chain',
    async () => (await custody.chain.client.getBalance({ address })) === 50_000_000_000_000_000n,
    30_000,
  );
  for (const { externalId } of requests) expect((await reach(externalId, 'confirmed')).transactions).toHaveLength(1);
});

test('a hot wallet short of funds makes nothing and says so, until it is filled', async () => {
  await custody.client.control('PUT', '/hot-wallet', { network: 'ethereum', asset: 'USDC', available: '10' });
  const request = createBody({ asset: 'USDC', amount: '10.000001' });
  const seen = await custody.client.create(request);
  expect(seen.status).toBe(422);
  expect(seen.status === 'broken' ? '' : seen.text).toContain('insufficient_hot_wallet_funds');
  expect(await custody.client.find(request.externalId)).toEqual([]);
  await custody.client.control('PUT', '/hot-wallet', { network: 'ethereum', asset: 'USDC', available: null });
  expect((await custody.client.create(request)).status).toBe(201);
});

test('twenty requests at once never promise more than the hot wallet has', async () => {
  await custody.client.control('PUT', '/hot-wallet', { network: 'ethereum', asset: 'USDT', available: '10' });
  const seen = await Promise.all(
    Array.from({ length: 20 }, () => custody.client.create(createBody({ asset: 'USDT', amount: '2' }))),
  );
  expect(seen.filter(({ status }) => status === 201).length).toBe(5);
  await custody.client.control('PUT', '/hot-wallet', { network: 'ethereum', asset: 'USDT', available: null });
});

test('contradict_failed reports a failure and pays: only the log and the chain know', async () => {
  const address = somebodyNew();
  const request = createBody({ address, amount: '0.75' });
  await custody.client.control('POST', '/faults', { kind: 'contradict_failed', externalId: request.externalId });
  await custody.client.create(request);
  await waitUntil('paid', async () => (await custody.chain.client.getBalance({ address })) > 0n);
  await waitUntil('logged', async () => (await kinds(request.externalId)).includes('confirmed'));
  expect(await custody.client.find(request.externalId)).toMatchObject([
    { status: 'failed', failureCode: 'reported_failed', final: true },
  ]);
});

test('fail_after_accept ends without any transaction', async () => {
  const request = createBody();
  await custody.client.control('POST', '/faults', {
    kind: 'fail_after_accept',
    externalId: request.externalId,
    code: 'compliance_rejected',
  });
  await custody.client.create(request);
  expect(await reach(request.externalId, 'failed')).toMatchObject({
    failureCode: 'compliance_rejected',
    final: true,
    transactions: [],
  });
});
