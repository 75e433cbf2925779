import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type CreateBody, createBody, type Transfer } from '../test-support/custody-client.ts';
import { type CustodyUnderTest, startCustodyUnderTest } from '../test-support/custody-under-test.ts';
import { waitUntil } from '../test-support/wait-until.ts';

type ShownTransaction = {
  hash: string;
  to: string;
  memo: string | null;
  asset: string;
  amount: string;
  status: string;
  height: number | null;
};
type ShownBlock = { height: number; hash: string; parentHash: string; transactions: ShownTransaction[] };

let custody: CustodyUnderTest;
beforeAll(async () => {
  custody = await startCustodyUnderTest();
});
afterAll(() => custody.close());
afterEach(async () => {
  await custody.client.control('DELETE', '/faults');
});

const pairs = [
  {
    asset: 'BTC',
    network: 'bitcoin',
    address: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    memo: null,
    amount: '0.00012345',
  },
  { asset: 'USDT', network: 'tron', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', memo: null, amount: '7.5' },
  {
    asset: 'SOL',
    network: 'solana',
    address: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
    memo: null,
    amount: '1.000000001',
  },
  { asset: 'XRP', network: 'xrp', address: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH', memo: '4294967295', amount: '20' },
];

async function pay(body: CreateBody): Promise<void> {
  expect((await custody.client.create(body)).status).toBe(201);
}

async function reach(externalId: string, status: Transfer['status']): Promise<Transfer> {
  return waitUntil(`${externalId} is ${status}`, async () => {
    const [transfer] = await custody.client.find(externalId);
    return transfer?.status === status ? transfer : null;
  });
}

async function readChain(network: string): Promise<ShownBlock[]> {
  const { body } = await custody.client.get(`/sim/${network}/blocks?from=0&limit=500`);
  const page: { data: ShownBlock[] } = JSON.parse(JSON.stringify(body));
  return page.data;
}

async function readTransaction(network: string, hash: string): Promise<ShownTransaction> {
  const { body } = await custody.client.get(`/sim/${network}/transactions/${hash}`);
  return JSON.parse(JSON.stringify(body));
}

test.each(pairs)('$asset on $network is paid in a block anybody can read, and becomes final', async (pair) => {
  const request = createBody(pair);
  await pay(request);
  const transfer = await reach(request.externalId, 'confirmed');
  const shown = await readTransaction(pair.network, transfer.transactions[0]?.hash ?? '');
  expect(shown).toMatchObject({
    to: pair.address,
    memo: pair.memo,
    asset: pair.asset,
    amount: pair.amount,
    status: 'success',
  });
  const blocks = await readChain(pair.network);
  for (const [place, block] of blocks.entries()) if (place > 0) expect(block.parentHash).toBe(blocks[place - 1]?.hash);
  expect(blocks.flatMap(({ transactions }) => transactions).filter(({ hash }) => hash === shown.hash)).toHaveLength(1);
  await waitUntil('final', async () => (await custody.client.find(request.externalId))[0]?.final === true);
});

test.each([
  [false, 'moved to another block'],
  [true, 'dropped, and sent again from the stored bytes'],
])('a reorg with drop %s: the transaction is %s, and paid once', async (drop) => {
  const request = createBody({ ...pairs[0], amount: '0.00054321' });
  await pay(request);
  const before = await reach(request.externalId, 'confirmed');
  await custody.client.control('POST', '/sim/bitcoin/reorg', { depth: 10, drop });
  await waitUntil('included in the longer branch', async () => {
    const paid = (await readChain('bitcoin'))
      .flatMap(({ transactions }) => transactions)
      .filter(({ hash }) => hash === before.transactions[0]?.hash);
    return paid.length === 1;
  });
  const after = await reach(request.externalId, 'confirmed');
  expect(after.transactions.map(({ hash }) => hash)).toEqual(before.transactions.map(({ hash }) => hash));
});

test('a stuck transaction is replaced by a dearer one, and only that is paid', async () => {
  const request = createBody({ ...pairs[0], amount: '0.0009' });
  await custody.client.control('POST', '/faults', { kind: 'sim_stuck', externalId: request.externalId, count: 1 });
  await pay(request);
  const waiting = await reach(request.externalId, 'broadcast');
  expect((await custody.client.control('POST', `/transfers/${waiting.id}/replace`)).status).toBe(201);
  const transfer = await reach(request.externalId, 'confirmed');
  expect(transfer.transactions.map(({ status }) => status)).toEqual(['replaced', 'confirmed']);
  expect((await readTransaction('bitcoin', transfer.transactions[0]?.hash ?? '')).status).toBe('spent');
});

test('a rejected transaction fails when its last valid ledger has passed', async () => {
  const request = createBody({ ...pairs[3], amount: '33' });
  await custody.client.control('POST', '/faults', { kind: 'sim_reject', externalId: request.externalId, count: 1 });
  await pay(request);
  await reach(request.externalId, 'broadcast');
  const transfer = await reach(request.externalId, 'failed');
  expect((await readTransaction('xrp', transfer.transactions[0]?.hash ?? '')).status).toBe('expired');
  // The lane goes on: the number is spent for nobody.
  const next = createBody({ ...pairs[3], amount: '34' });
  await pay(next);
  await reach(next.externalId, 'confirmed');
});

test('a transaction that the chain fails is in a block, and nobody was paid', async () => {
  const request = createBody({ ...pairs[1], amount: '11' });
  await custody.client.control('POST', '/faults', { kind: 'revert_on_chain', externalId: request.externalId });
  await pay(request);
  const transfer = await reach(request.externalId, 'failed');
  expect(await readTransaction('tron', transfer.transactions[0]?.hash ?? '')).toMatchObject({
    status: 'failed',
    height: expect.any(Number),
  });
});

test('a deposit from nowhere is mined', async () => {
  const made = await custody.client.control('POST', '/sim/xrp/deposits', {
    asset: 'XRP',
    address: 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH',
    memo: '5',
    amount: '1',
  });
  expect(made.status).toBe(201);
  const { hash }: { hash: string } = JSON.parse(JSON.stringify(made.body));
  await waitUntil('it is in a block', async () => (await readTransaction('xrp', hash)).status === 'success');
});

test('a network that is not simulated is not found', async () => {
  expect((await custody.client.get('/sim/ethereum/blocks')).status).toBe(404);
});
