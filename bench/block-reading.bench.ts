import { createPublicClient, formatTransactionReceipt, http, numberToHex, type RpcTransactionReceipt } from 'viem';
import { BLOCKS_A_QUESTION } from '#server/chain/chain-port.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { everyContract } from '#server/chain/test-support/reorg-chain.ts';
import { startOwnChain } from '../worker/test-support/own-chain.ts';

/**
 * Our reader of blocks beside viem's, over the same blocks of Anvil's with fifty token transfers each, in turns. Ours parses
 * by schema and checks receipts, log indexes and bloom; viem's is read and formatted, and nothing is checked. The ratios stand
 * in docs/decisions/0018.
 *
 * Run: npx tsx bench/block-reading.bench.ts
 */
const BLOCKS = 200;
const TRANSFERS = 50;
const ROUNDS = 5;

const node = await startOwnChain();
try {
  for (let block = 0; block < BLOCKS; block += 1) {
    const receiver = (index: number) => `0x${(block * TRANSFERS + index + 1).toString(16).padStart(40, '0')}`;
    const paid = await node.signTokenTransfers(
      Array.from({ length: TRANSFERS }, (_, index) => ({ to: receiver(index), amount: BigInt(index + 1) })),
    );
    await node.send(paid.raw);
    await node.mine();
  }
  const ours = createChainRpcClient({ url: node.url, timeoutMs: 10_000 });
  const theirs = createPublicClient({
    transport: http(node.url, { batch: { batchSize: 2 * BLOCKS_A_QUESTION, wait: 0 }, retryCount: 0 }),
  });
  const readTheirs = async (number: number) => {
    const [block, receipts] = await Promise.all([
      theirs.getBlock({ blockNumber: BigInt(number), includeTransactions: true }),
      theirs.request<{ Parameters: [string]; ReturnType: RpcTransactionReceipt[] }>({
        method: 'eth_getBlockReceipts',
        params: [numberToHex(number)],
      }),
    ]);
    return { block, logs: receipts.map((receipt) => formatTransactionReceipt(receipt).logs.length) };
  };
  const readers = {
    // Two questions of ten blocks each under way, as the indexer reads.
    ours: async (first: number) => {
      const halves = [first, first + BLOCKS_A_QUESTION].map((from) =>
        ours.blocks(from, BLOCKS_A_QUESTION, everyContract),
      );
      return (await Promise.all(halves)).flat().reduce((sum, { transfers }) => sum + transfers.length, 0);
    },
    viem: async (first: number) => {
      const numbers = Array.from({ length: 2 * BLOCKS_A_QUESTION }, (_, index) => first + index);
      const read = await Promise.all(numbers.map(readTheirs));
      return read.flatMap(({ logs }) => logs).reduce((sum, count) => sum + count, 0);
    },
  };
  const results: Record<'ours' | 'viem', { blocksASecond: number; cpuMs: number }[]> = { ours: [], viem: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? (['ours', 'viem'] as const) : (['viem', 'ours'] as const)) {
      const cpuBefore = process.cpuUsage();
      const startedAt = performance.now();
      let transfers = 0;
      for (let first = 1; first <= BLOCKS; first += 2 * BLOCKS_A_QUESTION) transfers += await readers[name](first);
      if (transfers !== BLOCKS * TRANSFERS) throw new Error(`${name} read ${transfers} transfers`);
      const cpu = process.cpuUsage(cpuBefore);
      if (round === 0) continue; // Both warm up.
      results[name].push({
        blocksASecond: BLOCKS / ((performance.now() - startedAt) / 1_000),
        cpuMs: (cpu.user + cpu.system) / 1_000 / BLOCKS,
      });
    }
  }
  const median = (list: number[]) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)] ?? 0;
  const of = (name: 'ours' | 'viem') => ({
    blocksASecond: Math.round(median(results[name].map((one) => one.blocksASecond))),
    cpuMsABlock: Number(median(results[name].map((one) => one.cpuMs)).toFixed(2)),
  });
  console.log(
    JSON.stringify({
      bench: 'block reading',
      blocks: BLOCKS,
      transfersABlock: TRANSFERS,
      ours: of('ours'),
      viem: of('viem'),
    }),
  );
} finally {
  await node.stop();
}
