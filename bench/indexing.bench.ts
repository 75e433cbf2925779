import { applyChainHead } from '#server/chain/apply-chain-head.ts';
import type { ChainPort } from '#server/chain/chain-port.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { everyContract } from '#server/chain/test-support/reorg-chain.ts';
import { createTestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../prisma/migrate.ts';
import { seed } from '../prisma/seed.ts';
import { startOwnChain } from '../worker/test-support/own-chain.ts';

/**
 * How fast a chain of Anvil's is read into an empty index, with fifty token transfers in every block, and how memory grows
 * from the first quarter to the last. Kept in `results/indexing.json`: 316 blocks a second.
 *
 * What grows is the database, by a row and its index entries an effect (1.15 KB); blocks are forgotten below the newest 10,000. The
 * process holds two runs of at most 50 blocks and what is garbage by then, however long the chain.
 *
 * Run: TEST_DATABASE_URL=… npx tsx --expose-gc bench/indexing.bench.ts
 */
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 600);
const TRANSFERS = 50;
const BLOCKS_A_SECOND_MIN = 150;

const database = await createTestDatabase({ migrate });
const node = await startOwnChain();
try {
  await seed(database, { demoMode: false, contracts: { USDC: null, USDT: null } });
  const deps = { db: database.db, chain: createChainRpcClient({ url: node.url, timeoutMs: 10_000 }) };
  const networkId = 'ethereum';
  const head = await deps.chain.head();
  await database.run(
    `with block as (insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at) values ($1, $2, $3, '', now()))
     insert into chain_cursors (network_id, block_number, block_hash) values ($1, $3, $2)`,
    [networkId, head.hash, head.number],
  );
  for (let block = 0; block < BLOCKS; block += 1) {
    // A receiver each: a block's own hashes are most of what checking it costs.
    const receiver = (index: number) => `0x${(block * TRANSFERS + index + 1).toString(16).padStart(40, '0')}`;
    const paid = await node.signTokenTransfers(
      Array.from({ length: TRANSFERS }, (_, index) => ({ to: receiver(index), amount: BigInt(index + 1) })),
    );
    await node.send(paid.raw);
    await node.mine();
  }
  // Each block's contract is a new one.
  const chain: ChainPort = { ...deps.chain, blocks: (first, count) => deps.chain.blocks(first, count, everyContract) };
  const heapAt: number[] = [];
  const cpuBefore = process.cpuUsage();
  let workMs = 0;
  let indexed = 0;
  for (;;) {
    const startedAt = performance.now();
    const result = await indexBlocks({ db: deps.db, chain }, { networkId, limit: 250 });
    indexed += result.indexed;
    if (result.number !== null)
      await applyChainHead(deps, { networkId, headNumber: result.number, indexed: result.indexed });
    workMs += performance.now() - startedAt;
    globalThis.gc?.();
    heapAt.push(process.memoryUsage().heapUsed);
    if (!result.isBehind) break;
  }
  const cpu = process.cpuUsage(cpuBefore);
  const [counted] = await database.run<{ effects: number; bytes: string }>(
    "select count(*)::integer as effects, pg_total_relation_size('chain_effects') as bytes from chain_effects",
  );
  const quarter = Math.max(1, Math.floor(heapAt.length / 4));
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length / 1_048_576;
  const blocksASecond = Math.round(indexed / (workMs / 1_000));
  console.log(
    JSON.stringify({
      bench: 'indexing',
      blocks: indexed,
      transfersABlock: TRANSFERS,
      effects: counted?.effects ?? 0,
      seconds: Number((workMs / 1_000).toFixed(2)),
      blocksASecond,
      ownCpuMsABlock: Number(((cpu.user + cpu.system) / 1_000 / indexed).toFixed(2)),
      // How the database grows: nothing else of a block stays for ever.
      bytesAnEffect: Math.round(Number(counted?.bytes ?? 0) / Math.max(1, counted?.effects ?? 0)),
      heapFirstQuarterMb: Number(mean(heapAt.slice(0, quarter)).toFixed(1)),
      heapLastQuarterMb: Number(mean(heapAt.slice(-quarter)).toFixed(1)),
    }),
  );
  if (blocksASecond < BLOCKS_A_SECOND_MIN) process.exitCode = 1;
} finally {
  await node.stop();
  await database.close();
}
