import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChainBlock, ChainPort } from '#server/chain/chain-port.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import {
  followChain,
  openFakeNetwork,
  readIndexFrom,
  type SeenIndex,
} from '#server/chain/test-support/fake-networks.ts';
import { diceOf, everyContract, ReorgChain } from '#server/chain/test-support/reorg-chain.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';
import { type OwnChain, startOwnChain } from '../../worker/test-support/own-chain.ts';

// 10,000 on demand: REORG_SCRIPTS=10000. A seed that once failed is repeated by REORG_SEED.
const SCRIPTS = Number(process.env.REORG_SCRIPTS ?? 500);
const SEED = Number(process.env.REORG_SEED ?? 20_261_130);
const DEPTH = 4;
const STEPS = 4;
// More than a script's reorg and growth together.
const TOP = 9;
// Two chains keep the node, the database and us busy at once.
const LANES = 2;
// A dev chain keeps every state it ever had.
const SCRIPTS_A_CHAIN = 250;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  // Nothing here is about a lost commit.
  const [named] = await database.run<{ name: string }>('select current_database() as name');
  await database.run(`alter database ${named?.name} set synchronous_commit = off`);
  await seed(database, { demoMode: false, contracts: { USDC: null, USDT: null } });
});
afterAll(() => database.close());

interface Lane {
  readonly node: OwnChain;
  readonly chain: ReorgChain;
  readonly port: ChainPort;
  readonly db: TestDatabase['db'];
  /** Null where the last script halted it, or before the first. */
  networkId: string | null;
}

async function openLane(): Promise<Lane> {
  const node = await startOwnChain();
  const client = createChainRpcClient({ url: node.url, timeoutMs: 10_000 });
  const port: ChainPort = { ...client, blocks: (first, count) => client.blocks(first, count, everyContract) };
  return { node, chain: new ReorgChain(node), port, db: database.open(), networkId: null };
}

/** How many of the newest blocks that the index has seen are no longer on the chain. */
function countLost(seen: readonly ChainBlock[], now: readonly ChainBlock[]): number {
  const hashes = new Map(now.map(({ number, hash }) => [number, hash]));
  return seen.filter(({ number, hash }) => hashes.get(number) !== hash).length;
}

async function readTop(port: ChainPort): Promise<readonly ChainBlock[]> {
  const { number } = await port.head();
  return await port.blocks(number - TOP + 1, TOP, everyContract);
}

/** A node that still shows these blocks as the top of its chain. */
function replay(port: ChainPort, top: readonly ChainBlock[]): ChainPort {
  const at = (number: number) => top.find((block) => block.number === number);
  const head = top.at(-1);
  if (head === undefined) throw new Error('a chain without a top');
  return {
    ...port,
    head: () => Promise.resolve(head),
    header: async (number) => at(number) ?? (number < head.number ? await port.header(number) : null),
    blocks: (first, count) => Promise.resolve(top.filter(({ number }) => number >= first && number < first + count)),
  };
}

/** A clean re-index of a chain, made in memory from what the node says of it now. */
function toIndex(blocks: readonly ChainBlock[]): SeenIndex {
  const head = blocks.at(-1);
  if (head === undefined) throw new Error('no blocks');
  const effects = blocks.flatMap(({ number, hash, transfers }) =>
    transfers.map(({ transactionHash, ordinal, contract, from, to, amountMinor }) => {
      const state = number <= head.number + 1 - DEPTH ? 'final' : 'included';
      return [transactionHash, ordinal, contract, from, to, String(amountMinor), number, hash, state];
    }),
  );
  const cursor = [head.number, head.hash, false] as const;
  return sortEffects({ blocks: blocks.map(({ number, hash }) => [number, hash]), effects, cursor });
}

function sortEffects(index: SeenIndex): SeenIndex {
  const effects = index.effects.map((row) => JSON.stringify(row)).sort();
  return { ...index, effects: effects.map((text) => JSON.parse(text)) };
}

/** A few random steps on a chain that goes on from script to script; after them the index is what the chain is. */
async function playScript(lane: Lane, seedNumber: number): Promise<Set<string>> {
  const { chain, port, db } = lane;
  const dice = diceOf(seedNumber);
  const kinds = new Set<string>();
  const deps = { db, chain: port };
  await chain.begin();
  if (lane.networkId === null) {
    lane.networkId = `reorg_${seedNumber}`;
    await openFakeNetwork(db, lane.networkId, DEPTH);
    await followChain(deps, lane.networkId);
    // No reorg of a script reaches below its first block.
    await chain.mine(dice, TOP);
    await followChain(deps, lane.networkId);
  }
  const { networkId } = lane;
  let old = await readTop(port);
  let seen: readonly ChainBlock[] = old.slice(-DEPTH);
  const from = seen[0]?.number ?? 0;
  const index = () => readIndexFrom(db, networkId, from);
  for (let step = 0; step < STEPS; step += 1) {
    const isLast = step === STEPS - 1;
    const isReorg = dice(3) > 0;
    if (isReorg) await chain.reorganise(dice, dice(40) === 0 ? DEPTH : 1 + Math.min(dice(DEPTH - 1), dice(DEPTH - 1)));
    else await chain.mine(dice, 1);
    kinds.add(isReorg ? 'reorg' : 'growth');
    // The indexer sleeps over some of it; what is left is told after the last step, on a chain that has grown past us.
    if (!isLast && dice(3) === 0) continue;
    if (isLast) await chain.mine(dice, 1);
    const now = await readTop(port);
    const lost = countLost(seen, now);
    const before = lost >= DEPTH ? await index() : null;
    await followChain(deps, networkId);
    if (before !== null) {
      const halted = [before.cursor[0], before.cursor[1], true] as const;
      const told = `seed ${seedNumber}: deeper than finality halts, and moves nothing`;
      // In no order of their own: an index has none within a block.
      expect(sortEffects(await index()), told).toEqual(sortEffects({ ...before, cursor: halted }));
      lane.networkId = null;
      return kinds.add('halted');
    }
    const isBehind = (old.at(-1)?.number ?? 0) < (now.at(-1)?.number ?? 0);
    if (lost > 0 && !isLast && !isBehind && dice(2) === 0) {
      // A-B-A: a node that has not heard of the reorg answers, and after it the first one again.
      await followChain({ db, chain: replay(port, old) }, networkId);
      const again = await readIndexFrom(db, networkId, old[0]?.number ?? from);
      expect(sortEffects(again), `seed ${seedNumber}: back on the first branch`).toEqual(toIndex(old));
      kinds.add('back again');
      seen = old.slice(-DEPTH);
    } else {
      old = now;
      seen = now.slice(-DEPTH);
    }
  }
  const head = await port.head();
  const clean = await port.blocks(from, head.number - from + 1, everyContract);
  expect(sortEffects(await index()), `seed ${seedNumber}: the index equals a clean one`).toEqual(toIndex(clean));
  return kinds.add('compared');
}

it(`IX04, EC93-EC99, EC101: after each of ${SCRIPTS} random reorg scripts the index equals a clean re-index of the final chain`, async () => {
  process.stdout.write(`reorg scripts from seed ${SEED}\n`);
  let next = 0;
  const told: Set<string>[] = [];
  const runLane = async () => {
    let lane = await openLane();
    try {
      for (let played = 1; next < SCRIPTS; played += 1) {
        const seedNumber = SEED + next;
        next += 1;
        told.push(await playScript(lane, seedNumber));
        if (played % SCRIPTS_A_CHAIN === 0) {
          await lane.node.stop();
          lane = await openLane();
        }
      }
    } finally {
      await lane.node.stop();
    }
  };
  await Promise.all(Array.from({ length: LANES }, runLane));
  const count = (kind: string) => told.filter((kinds) => kinds.has(kind)).length;
  const kinds = ['compared', 'halted', 'reorg', 'back again'];
  process.stdout.write(`${kinds.map((kind) => `${kind} ${count(kind)}`).join(', ')}\n`);
  expect(count('compared') + count('halted')).toBe(SCRIPTS);
  // The scripts reach what they are about.
  if (SCRIPTS >= 500) expect(Math.min(...kinds.map(count))).toBeGreaterThan(5);
}, 3_600_000);
