import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import {
  addressOf,
  coinPayment,
  type FakeBlock,
  FakeChain,
  type FakeTransaction,
  tokenPayment,
} from '#server/chain/test-support/fake-chain.ts';
import { followChain, openFakeNetwork, readIndex } from '#server/chain/test-support/fake-networks.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

// 10,000 on demand: REORG_SCRIPTS=10000. A seed that once failed is repeated by REORG_SEED.
const SCRIPTS = Number(process.env.REORG_SCRIPTS ?? 150);
const SEED = Number(process.env.REORG_SEED ?? 20_261_130);
const DEPTH = 4;
const LANES = 4;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  // Nothing here is about a lost commit, and a thousand chains are written.
  const [{ name }] = await database.run<{ name: string }>('select current_database() as name').then(onlyRow);
  await database.run(`alter database ${name} set synchronous_commit = off`);
  await seed(database, { demoMode: false, contracts: { USDC: null, USDT: null } });
});
afterAll(() => database.close());

function onlyRow<Row>(rows: readonly Row[]): readonly [Row] {
  const [row] = rows;
  if (row === undefined) throw new Error('a row');
  return [row];
}

type Dice = (below: number) => number;
function diceOf(seedNumber: number): Dice {
  let state = seedNumber >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

function makeTransaction(dice: Dice, name: string): FakeTransaction {
  const to = addressOf(`receiver ${dice(3)}`);
  const amount = BigInt(1 + dice(5));
  if (dice(4) === 0) return coinPayment(name, to, amount, dice(5) > 0);
  const amounts = Array.from({ length: 1 + dice(2) }, () => amount);
  return tokenPayment(name, to, amounts, dice(3));
}

/** The top goes; what was in it is dropped, moved, put in another order, or does something else this time. */
function reorganise(chain: FakeChain, dice: Dice, depth: number, name: string): void {
  const kept = chain.blocks.slice(0, chain.blocks.length - depth);
  const loose = chain.blocks.slice(kept.length).flatMap((block) => block.transactions);
  chain.blocks = kept;
  const length = depth + dice(2);
  for (let index = 0; index < length; index += 1) {
    const taken: FakeTransaction[] = [];
    for (const transaction of [...loose]) {
      const fate = dice(length + 1);
      if (fate > 1) continue;
      loose.splice(loose.indexOf(transaction), 1);
      if (dice(6) === 0) continue; // Dropped for ever.
      const changed = dice(8) === 0 && transaction.logs.length > 0;
      taken.unshift(changed ? { ...transaction, logs: transaction.logs.slice(0, -1) } : transaction);
    }
    if (dice(2) === 0) taken.push(makeTransaction(dice, `${name} ${index}`));
    chain.mine(taken);
  }
}

interface Told {
  readonly seedNumber: number;
  readonly kinds: Set<string>;
}

/** One chain from its first block to its last, followed as it changes; then read once more from the beginning. */
async function playScript(seedNumber: number): Promise<Told> {
  const dice = diceOf(seedNumber);
  const kinds = new Set<string>();
  const chain = new FakeChain();
  await chain.start();
  const deps = { db: database.db, chain: createChainRpcClient({ url: chain.url, timeoutMs: 10_000 }) };
  const networkId = `reorg_${seedNumber}`;
  const saved: FakeBlock[][] = [];
  try {
    await openFakeNetwork(deps.db, networkId, DEPTH);
    await followChain(deps, networkId);
    let indexed: readonly FakeBlock[] = chain.blocks;
    for (let step = 0; step < 6; step += 1) {
      const name = `${seedNumber} ${step}`;
      const action = dice(6);
      if (action <= 2 || chain.blocks.length < 5) {
        const blocks = 1 + dice(3);
        for (let index = 0; index < blocks; index += 1) {
          const many = Array.from({ length: dice(3) }, (_, at) => makeTransaction(dice, `${name} ${index} ${at}`));
          chain.mine(many);
        }
      } else if (action === 5 && saved.length > 0) {
        // A-B-A: the branch from before comes back, longer by one.
        chain.blocks = saved.at(-1) ?? chain.blocks;
        chain.mine();
        kinds.add('back again');
      } else {
        saved.push(chain.blocks);
        const isDeep = dice(25) === 0;
        const depth = isDeep ? DEPTH : 1 + dice(DEPTH - 1);
        reorganise(chain, dice, Math.min(depth, chain.blocks.length - 1), name);
        kinds.add('reorg');
      }
      if (dice(4) === 0 && step < 5) continue; // The indexer sleeps over it.
      const before = await readIndex(deps.db, networkId);
      const common = indexed.findLastIndex((block, at) => chain.blocks[at]?.hash === block.hash);
      const lost = indexed.length - 1 - common;
      await followChain(deps, networkId);
      // A head below our own says nothing yet; one beyond finality halts, moves nothing and books nothing back.
      if (chain.head.number < (indexed.at(-1)?.number ?? 0)) continue;
      if (lost >= DEPTH) {
        const after = await readIndex(deps.db, networkId);
        expect(withoutHalt(after), `seed ${seedNumber}: a halted network moves nothing`).toEqual(withoutHalt(before));
        expect(JSON.stringify(after), `seed ${seedNumber}: deeper than finality halts`).toContain('true]');
        return { seedNumber, kinds: kinds.add('halted') };
      }
      indexed = chain.blocks;
    }
    // Whatever was slept over is told now; a chain that was cut short grows past what we know.
    const common = indexed.findLastIndex((block, at) => chain.blocks[at]?.hash === block.hash);
    while (chain.head.number <= (indexed.at(-1)?.number ?? 0)) chain.mine();
    await followChain(deps, networkId);
    if (indexed.length - 1 - common >= DEPTH) return { seedNumber, kinds: kinds.add('halted') };
    const cleanId = `clean_${seedNumber}`;
    await openFakeNetwork(deps.db, cleanId, DEPTH);
    await deps.db.query(
      {
        name: '',
        text: `with block as (insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at) values ($1, $2, 0, '', now()))
          insert into chain_cursors (network_id, block_number, block_hash) values ($1, 0, $2)`,
      },
      [cleanId, chain.blocks[0]?.hash],
    );
    await followChain(deps, cleanId);
    const [followed, clean] = [await readIndex(deps.db, networkId), await readIndex(deps.db, cleanId)];
    expect(followed, `seed ${seedNumber}: the index equals a clean one`).toEqual(clean);
    return { seedNumber, kinds: kinds.add('compared') };
  } finally {
    await chain.stop();
  }
}

function withoutHalt(index: unknown): string {
  return JSON.stringify(index).replace(/,(true|false)\]\}$/, ']}');
}

it(`IX04, EC93-EC99: after each of ${SCRIPTS} random reorg scripts the index equals a clean re-index of the final chain`, async () => {
  process.stdout.write(`reorg scripts from seed ${SEED}\n`);
  let next = 0;
  const told: Told[] = [];
  const lane = async () => {
    while (next < SCRIPTS) {
      const seedNumber = SEED + next;
      next += 1;
      told.push(await playScript(seedNumber));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const count = (kind: string) => told.filter((one) => one.kinds.has(kind)).length;
  process.stdout.write(
    `compared ${count('compared')}, halted ${count('halted')}, with a reorg ${count('reorg')}, with A-B-A ${count('back again')}\n`,
  );
  expect(count('compared') + count('halted')).toBe(SCRIPTS);
  // The scripts reach what they are about.
  if (SCRIPTS >= 500) expect(Math.min(count('compared'), count('halted'), count('back again'))).toBeGreaterThan(5);
}, 3_600_000);
