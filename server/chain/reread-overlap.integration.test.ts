import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyChainHead } from '#server/chain/apply-chain-head.ts';
import type { ChainPort } from '#server/chain/chain-port.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { rereadOverlap } from '#server/chain/reread-overlap.ts';
import { addressOf, FakeChain, tokenPayment } from '#server/chain/test-support/fake-chain.ts';
import { followChain, openFakeNetwork, readIndex } from '#server/chain/test-support/fake-networks.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
let node: FakeChain;
let chain: ChainPort;
let networkId: string;
let networks = 0;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed(database, { demoMode: false, contracts: { USDC: null, USDT: null } });
});
afterAll(() => database.close());
beforeEach(async () => {
  node = new FakeChain();
  await node.start();
  chain = createChainRpcClient({ url: node.url, timeoutMs: 10_000 });
  networks += 1;
  networkId = `overlap_${networks}`;
  await openFakeNetwork(database.db, networkId, 4);
  await follow();
  for (let block = 0; block < 30; block += 1) pay(`${block}`);
  await follow();
});
afterEach(() => node.stop());

const pay = (name: string) => node.mine([tokenPayment(name, addressOf('receiver'), [5n, 5n], 1)]);
const follow = () => followChain({ db: database.db, chain }, networkId);
const index = () => readIndex(database.db, networkId);
const reread = () => rereadOverlap({ db: database.db, chain }, { networkId });

describe('an indexer that starts again', () => {
  it('reads its newest blocks once more and changes nothing, also beside another one (EC93)', async () => {
    const before = await index();
    node.questions = 0;
    expect(await Promise.all([reread(), reread()])).toEqual([{ kind: 'same' }, { kind: 'same' }]);
    expect(node.questions).toBe(2 * 2 * 20);
    expect(await index()).toEqual(before);
    await follow();
    expect(await index()).toEqual(before);
  });

  it('puts back an effect that its copy has lost, and says so', async () => {
    const before = await index();
    await database.run(
      `delete from chain_effects where id = (select max(id) - 7 from chain_effects where network_id = $1)`,
      [networkId],
    );
    expect(await reread()).toEqual({ kind: 'mended', effects: 1 });
    expect(await reread()).toEqual({ kind: 'same' });
    await applyChainHead({ db: database.db }, { networkId, headNumber: 30 });
    expect(await index()).toEqual(before);
  });

  it('leaves a chain that changed meanwhile to the walk back, and reads the overlap after it', async () => {
    node.blocks = node.blocks.slice(0, -2);
    pay('other');
    expect(await reread()).toEqual({ kind: 'again' });
    pay('another');
    pay('a third');
    expect(await reread()).toEqual({ kind: 'again' });
    await follow();
    expect(await reread()).toEqual({ kind: 'same' });
    expect(JSON.stringify(await index())).toContain(node.head.hash);
  });

  it('halts where the blocks that it keeps are not the ones below its own cursor', async () => {
    await database.run(
      `update chain_blocks set block_hash = '0xother' where network_id = $1 and block_number = 25 and canonical`,
      [networkId],
    );
    expect(await reread()).toEqual({ kind: 'halted' });
    const [cursor] = await database.run('select halted_at, halt_reason from chain_cursors where network_id = $1', [
      networkId,
    ]);
    expect(cursor).toMatchObject({ halted_at: expect.any(Date), halt_reason: expect.stringContaining('block 25') });
  });

  it('believes no half answer and no lie about the overlap', async () => {
    const before = await index();
    node.lie = (method, result) => (method === 'eth_getBlockReceipts' ? [] : result);
    await expect(reread()).rejects.toThrow('receipts are missing');
    node.lie = (_, result) => result;
    const whole = node.blocks;
    node.blocks = whole.slice(0, -3);
    expect(await reread()).toEqual({ kind: 'again' });
    node.blocks = whole;
    expect(await reread()).toEqual({ kind: 'same' });
    expect(await index()).toEqual(before);
  });

  it('asks nothing where nothing was ever read', async () => {
    await openFakeNetwork(database.db, `${networkId}_new`, 4);
    expect(await rereadOverlap({ db: database.db, chain }, { networkId: `${networkId}_new` })).toEqual({
      kind: 'nothing_stored',
    });
  });
});

it('old blocks are forgotten also by turns that step over the number that is counted to', async () => {
  const counted = async () => {
    const [row] = await database.run<{ blocks: number }>(
      'select count(*)::integer as blocks from chain_blocks where network_id = $1',
      [networkId],
    );
    return row?.blocks;
  };
  const reach = (headNumber: number, indexed: number) =>
    applyChainHead({ db: database.db }, { networkId, headNumber, indexed });
  await reach(10_490, 250);
  expect(await counted()).toBe(31);
  await reach(10_020, 50);
  expect(await counted()).toBe(31 - 20);
});
