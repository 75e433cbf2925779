import { applyChainHead } from '#server/chain/apply-chain-head.ts';
import { bookNetworkCosts } from '#server/chain/book-network-costs.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { markDeadTransactions } from '#server/chain/mark-dead-transactions.ts';
import { rereadOverlap } from '#server/chain/reread-overlap.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

// Five runs of a network that is far behind; then the confirmations are counted once for all of them.
const BLOCKS_A_TURN = 250;

/** Reads one network, its newest blocks once more at the start. Two indexers are safe: of each block one writes it. */
export function startChainIndexerLoop(tools: WorkerTools, chain: NonNullable<WorkerTools['chain']>): Loop {
  let isOverlapRead = false;
  return startLoop({
    name: `indexer_${chain.networkId}`,
    idleMs: tools.times.chainPollMs,
    runOnce: async () => {
      const { networkId } = chain;
      if (!isOverlapRead) {
        const { kind } = await rereadOverlap({ db: tools.db, chain: chain.port }, { networkId });
        // The turn below walks back, or waits for the node; then the overlap is another one.
        isOverlapRead = kind !== 'again';
      }
      const result = await indexBlocks({ db: tools.db, chain: chain.port }, { networkId, limit: BLOCKS_A_TURN });
      if (result.number === null) return { again: result.isBehind };
      // Also without a new block: custody may have named a transaction that was there before its name.
      await applyChainHead(tools, { networkId, headNumber: result.number, indexed: result.indexed });
      // A reader that is behind proves nothing about what is not there.
      if (!result.isBehind) {
        await markDeadTransactions({ db: tools.db, chain: chain.port }, { networkId, headNumber: result.number });
        await bookNetworkCosts({ db: tools.db, chain: chain.port }, { networkId, headNumber: result.number });
      }
      return { again: result.isBehind };
    },
  });
}
