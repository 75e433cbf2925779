import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChainPort } from '#server/chain/chain-port.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { addressOf, coinPayment, FakeChain, type Lie, tokenPayment } from '#server/chain/test-support/fake-chain.ts';
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
  networkId = `lying_${networks}`;
  await openFakeNetwork(database.db, networkId, 4);
  await follow();
  const to = addressOf('receiver');
  node.mine([tokenPayment('first', to, [5n, 5n], 1), coinPayment('second', to, 7n)]);
  node.mine([tokenPayment('third', to, [9n])]);
});
afterEach(() => node.stop());

const follow = (db = database.db) => followChain({ db, chain }, networkId);
const index = () => readIndex(database.db, networkId);
type Wire = { logs: Record<string, unknown>[]; [name: string]: unknown };
/** Changes the answers of one method; what is `null` stays. */
const change = (method: string, deed: (result: never) => unknown): Lie => {
  return (asked, result) => (asked === method && result !== null ? deed(structuredClone(result) as never) : result);
};
const receipts = (deed: (list: Wire[]) => unknown) => change('eth_getBlockReceipts', deed);

describe('a node that lies moves nothing, and once it is honest the index is whole (EC102, IX02)', () => {
  const lies: Record<string, Lie> = {
    'no logs under a bloom that has some (EC102)': receipts((list) => list.map((one) => ({ ...one, logs: [] }))),
    'logs under an empty bloom': change('eth_getBlockByNumber', (block: Wire) => ({
      ...block,
      logsBloom: `0x${'0'.repeat(512)}`,
    })),
    'receipts of another block': receipts((list) =>
      list.map((one) => ({ ...one, blockHash: addressOf('x').padEnd(66, '0') })),
    ),
    'a missing receipt': receipts((list) => list.slice(1)),
    'a receipt twice': receipts((list) => [list[0], ...list]),
    'a log index twice': receipts((list) =>
      list.map((one) => ({ ...one, logs: one.logs.map((log) => ({ ...log, logIndex: '0x0' })) })),
    ),
    'no receipts at all': receipts(() => null),
    'another height than was asked for': change('eth_getBlockByNumber', (block: Wire) => ({
      ...block,
      number: '0x63',
    })),
    'something that is no block': change('eth_getBlockByNumber', () => ({ surprise: true })),
  };
  it.each(Object.entries(lies))('%s', async (name, lie) => {
    const before = await index();
    node.lie = lie;
    // A second block of the same shape, so that the lie about the head is one about a block too.
    await follow().catch((error: Error) => expect(error.name, name).toBe('ChainAnswerRefused'));
    expect(await index()).toEqual(before);
    node.lie = (_, result) => result;
    await follow();
    expect(JSON.stringify(await index())).toContain(node.head.hash);
  });

  it('a node that is away is an error whose text carries no address, for an address may carry a key', async () => {
    const before = await index();
    const { url } = node;
    await node.stop();
    const error = await follow().then(
      () => null,
      (cause: Error) => cause,
    );
    expect(error?.name).toBe('Error');
    expect(`${error?.message} ${error?.cause ?? ''}`).not.toContain(new URL(url).port);
    expect(error?.message).toContain('eth_getBlockByNumber');
    expect(await index()).toEqual(before);
    node = new FakeChain();
    await node.start();
  });

  it('a block that follows another one than the node itself names moves nothing, and is asked for no sooner than any', async () => {
    await follow();
    const before = await index();
    node.mine();
    const whole = node.blocks;
    node.blocks = whole.map((block, place) =>
      place === whole.length - 1 ? { ...block, parentHash: `0x${'5e'.repeat(32)}` } : block,
    );
    expect(await indexBlocks({ db: database.db, chain }, { networkId, limit: 50 })).toMatchObject({
      indexed: 0,
      isBehind: false,
    });
    expect(await index()).toEqual(before);
    node.blocks = whole;
    await follow();
    expect(JSON.stringify(await index())).toContain(node.head.hash);
  });

  it('a head that goes back for a while: the cursor stays, and goes on from where it was (EC102, IX02)', async () => {
    await follow();
    const before = await index();
    const whole = node.blocks;
    node.blocks = whole.slice(0, 2);
    await follow();
    expect(await index()).toEqual(before);
    node.blocks = whole;
    node.mine();
    await follow();
    expect(JSON.stringify(await index())).toContain(node.head.hash);
  });
});

describe('a long way behind', () => {
  it('IX03: runs of blocks are written at once, and the hand-over to single blocks loses and doubles nothing', async () => {
    const to = addressOf('receiver');
    for (let block = 0; block < 257; block += 1) node.mine([tokenPayment(`block ${block}`, to, [BigInt(block + 1)])]);
    const first = await indexBlocks({ db: database.db, chain }, { networkId, limit: 50 });
    expect(first).toMatchObject({ indexed: 50, isBehind: true });
    await follow();
    const [counted] = await database.run<{ blocks: string; effects: string }>(
      `select (select count(*) from chain_blocks where network_id = $1 and canonical) as blocks, (select count(*) from chain_effects where network_id = $1) as effects`,
      [networkId],
    );
    expect(counted).toEqual({ blocks: '260', effects: String(257 + 4) });
  });

  it('EC93: blocks that are read a second time, as after a crash that set the cursor back, change nothing', async () => {
    for (let block = 0; block < 8; block += 1) node.mine([tokenPayment(`again ${block}`, addressOf('r'), [1n, 1n])]);
    await follow();
    const before = await index();
    await database.run(
      `update chain_cursors c set block_number = b.block_number, block_hash = b.block_hash from chain_blocks b
       where c.network_id = $1 and b.network_id = $1 and b.block_number = c.block_number - 7`,
      [networkId],
    );
    await follow();
    expect(await index()).toEqual(before);
  });

  it('IX08: a node is asked for blocks and keeps nothing for us, so that no filter of ours can be lost', async () => {
    const asked = new Set<string>();
    node.lie = (method, result) => {
      asked.add(method);
      return result;
    };
    for (let block = 0; block < 30; block += 1) node.mine();
    await follow();
    expect([...asked].sort()).toEqual(['eth_getBlockByNumber', 'eth_getBlockReceipts']);
    // Two questions a block and one for the head: a node that never moves is asked no more often.
    expect(node.questions).toBeLessThan(2 * 34 + 10);
  });

  it('EC103: a node that cuts a long answer short is asked for less, and nothing is taken for whole', async () => {
    for (let block = 0; block < 30; block += 1) node.mine([coinPayment(`coin ${block}`, addressOf('r'), 3n)]);
    // Two questions a block: three blocks at once are one too many.
    node.questionsMax = 5;
    await follow();
    const [counted] = await database.run(
      `select count(*)::integer as effects from chain_effects where network_id = $1`,
      [networkId],
    );
    expect(counted).toEqual({ effects: 30 + 4 });
    expect(JSON.stringify(await index())).toContain(node.head.hash);
  });

  it('a transaction for the second time in one run is refused, and the cursor stays (EC102)', async () => {
    await follow();
    const before = await index();
    const twice = coinPayment('twice', addressOf('r'), 3n);
    const honest = node.blocks;
    node.mine([twice]);
    node.mine([twice]);
    await expect(follow()).rejects.toThrow('for the second time');
    expect(await index()).toEqual(before);
    node.blocks = honest;
    node.mine([twice]);
    await follow();
    expect(JSON.stringify(await index())).toContain(twice.hash);
  });

  it('EC103: a chain that changes in the middle of a run keeps what is of one chain, and goes back for the rest', async () => {
    for (let block = 0; block < 120; block += 1) node.mine();
    let asked = 0;
    node.lie = (method, result) => {
      if (method === 'eth_getBlockReceipts') asked += 1;
      if (asked === 20) {
        node.blocks = node.blocks.slice(0, 119);
        node.mine();
        node.mine();
        node.mine();
      }
      return result;
    };
    await follow();
    node.lie = (_, result) => result;
    node.mine();
    await follow();
    expect(JSON.stringify(await index())).toContain(node.head.hash);
  });

  it('two indexers beside each other write every block once (EC104)', async () => {
    for (let block = 0; block < 130; block += 1) node.mine([coinPayment(`coin ${block}`, addressOf('r'), 3n)]);
    await Promise.all([follow(), follow(), follow(database.open())]);
    await follow();
    const [counted] = await database.run(
      `select count(*)::integer as effects from chain_effects where network_id = $1`,
      [networkId],
    );
    expect(counted).toEqual({ effects: 130 + 4 });
  });
});
