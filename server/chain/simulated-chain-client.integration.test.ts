import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ChainAnswerRefused, type ChainPort } from '#server/chain/chain-port.ts';
import { readRun } from '#server/chain/read-run.ts';
import { createSimulatedChainClient } from '#server/chain/simulated-chain-client.ts';
import { startSimulatedNetworks } from '#server/chain/test-support/simulated-networks.ts';

const USDT_ON_TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const RECEIVER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

let simulator: Awaited<ReturnType<typeof startSimulatedNetworks>>;
beforeAll(async () => {
  simulator = await startSimulatedNetworks();
});
afterAll(() => simulator.stop());

function portOf(network: string, url = simulator.url): ChainPort {
  return createSimulatedChainClient({ url, network, timeoutMs: 2_000 });
}

it('begins with nothing: no block at height 0, and the first one names none as its parent', async () => {
  const port = portOf('solana');
  expect(await port.head()).toEqual({ number: 0, hash: '0'.repeat(64) });
  await simulator.mine('solana', 3);
  const start = { number: 0, hash: (await port.header(0))?.hash ?? '' };
  const run = await readRun({ chain: port }, start, 10, new Set());
  expect(run).toHaveLength(3);
  expect(run).not.toBe('another_chain');
  expect(await port.header(4)).toBeNull();
  expect(await port.blocks(4, 5, new Set())).toEqual([]);
});

it('shows a payment once, by contract, in minor units, and only of contracts that are watched', async () => {
  const port = portOf('tron');
  const { hash } = await simulator.pay('tron', { asset: 'USDT', address: RECEIVER, amount: '7.000001' });
  const { number } = await untilMined(port, 'tron', hash);
  const [block] = await port.blocks(number, 1, new Set([USDT_ON_TRON]));
  expect(block?.transfers).toMatchObject([
    { transactionHash: hash, ordinal: 1, contract: USDT_ON_TRON, to: RECEIVER, memo: null, amountMinor: 7_000_001n },
  ]);
  const [unwatched] = await port.blocks(number, 1, new Set([USDT_ON_TRON.toLowerCase()]));
  expect(unwatched?.transfers).toEqual([]);
  expect(await port.cost(hash)).toMatchObject({
    blockNumber: number,
    blockHash: block?.hash,
    minor: 0n,
    succeeded: true,
  });
});

it('tells a payment’s tag, whose number it spent, and nothing of what nobody knows', async () => {
  const port = portOf('xrp');
  const payment = { asset: 'XRP', address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', memo: '4294967295', amount: '1' };
  const { hash } = await simulator.pay('xrp', payment);
  const { number } = await untilMined(port, 'xrp', hash);
  const [block] = await port.blocks(number, 1, new Set());
  expect(block?.transfers).toMatchObject([{ ordinal: 0, contract: null, memo: '4294967295', amountMinor: 1_000_000n }]);
  const { signed } = await port.transaction(hash);
  expect(signed?.nonce).toBe(0);
  expect(await port.spentNonces(signed?.from ?? '', number)).toBe(1);
  expect(await port.spentNonces(signed?.from ?? '', number - 1)).toBe(0);
  const unknown = 'ab'.repeat(32);
  expect(await port.transaction(unknown)).toEqual({ receipt: null, signed: null, lastValidNumber: null });
  expect(await port.cost(unknown)).toBeNull();
});

it('after a reorg the run that followed the old chain is told to be another one', async () => {
  const port = portOf('bitcoin');
  await simulator.mine('bitcoin', 4);
  const before = await port.head();
  await simulator.reorg('bitcoin', 2, false);
  expect(await readRun({ chain: port }, before, 5, new Set())).toBe('another_chain');
  expect((await port.header(before.number))?.hash).not.toBe(before.hash);
});

it('a network that nobody simulates is refused', async () => {
  await expect(portOf('dogecoin').head()).rejects.toThrow(ChainAnswerRefused);
});

let liar: Server | undefined;
afterEach(() => {
  liar?.closeAllConnections();
  liar?.close();
  liar = undefined;
});

const HASH = 'cd'.repeat(32);
const BLOCK = { height: 5, hash: '5'.repeat(64), parentHash: '4'.repeat(64), at: '2026-12-01T00:00:00.000Z' };
const PAID = {
  hash: HASH,
  from: 'faucet-1',
  nonce: 0,
  to: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  memo: null,
  contract: null,
  amountMinor: '5',
  status: 'success',
  height: 5,
  blockHash: BLOCK.hash,
  index: 0,
};

it.each([
  ['another height than was asked for', { ...BLOCK, height: 6, transactions: [] }],
  ['a transaction of another block', { ...BLOCK, transactions: [{ ...PAID, blockHash: '6'.repeat(64) }] }],
  ['a transaction at another height', { ...BLOCK, transactions: [{ ...PAID, height: 4 }] }],
  ['a transaction out of place', { ...BLOCK, transactions: [{ ...PAID, index: 1 }] }],
  ['a transaction twice', { ...BLOCK, transactions: [PAID, { ...PAID, index: 1 }] }],
  ['an amount that is none', { ...BLOCK, transactions: [{ ...PAID, amountMinor: '-5' }] }],
  ['one that is in no block', { ...BLOCK, transactions: [{ ...PAID, status: 'pending' }] }],
  ['no block at all', { block: 5 }],
])('%s is refused', async (_name, block) => {
  const port = portOf('xrp', await answer((respond) => respond(200, JSON.stringify({ data: [block] }))));
  await expect(port.blocks(5, 1, new Set())).rejects.toThrow(ChainAnswerRefused);
});

it('more blocks than were asked for, half an answer, and another transaction are refused', async () => {
  const blocks = [5, 6].map((height) => ({ ...BLOCK, height, transactions: [] }));
  const more = portOf('xrp', await answer((respond) => respond(200, JSON.stringify({ data: blocks }))));
  await expect(more.blocks(5, 1, new Set())).rejects.toThrow(ChainAnswerRefused);
  const half = portOf('xrp', await answer((respond) => respond(200, '{"data":[')));
  await expect(half.blocks(5, 1, new Set())).rejects.toThrow(ChainAnswerRefused);
  const other = { ...PAID, status: 'pending', height: null, blockHash: null, validUntilHeight: null, charged: '0' };
  const another = portOf('xrp', await answer((respond) => respond(200, JSON.stringify(other))));
  await expect(another.transaction('ef'.repeat(32))).rejects.toThrow(ChainAnswerRefused);
  const between = portOf('xrp', await answer((respond) => respond(200, JSON.stringify({ ...other, height: 5 }))));
  await expect(between.transaction(HASH)).rejects.toThrow(ChainAnswerRefused);
});

it('a redirect is not followed, trouble is no answer, and silence ends', async () => {
  const moved = await answer((respond) => respond(302, '', { location: `${simulator.url}/sim/xrp/head` }));
  await expect(portOf('xrp', moved).head()).rejects.toThrow();
  const broken = portOf('xrp', await answer((respond) => respond(503, '{}'))).head();
  await expect(broken).rejects.toThrow('answered 503');
  await expect(broken).rejects.not.toThrow(ChainAnswerRefused);
  const silent = createSimulatedChainClient({ url: await answer(() => undefined), network: 'xrp', timeoutMs: 50 });
  await expect(silent.head()).rejects.toThrow(/timeout/i);
});

type Respond = (status: number, body: string, headers?: Record<string, string>) => void;

async function answer(how: (respond: Respond) => void): Promise<string> {
  liar?.closeAllConnections();
  liar?.close();
  liar = createServer((_request, response) =>
    how((status, body, headers = {}) => response.writeHead(status, headers).end(body)),
  );
  await new Promise<void>((resolve) => liar?.listen(0, '127.0.0.1', resolve));
  const address = liar.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** The block in which it is. */
async function untilMined(port: ChainPort, network: string, hash: string): Promise<{ number: number }> {
  await simulator.mine(network);
  const { receipt } = await port.transaction(hash);
  if (receipt === null) throw new Error('it was not mined');
  return { number: receipt.blockNumber };
}
