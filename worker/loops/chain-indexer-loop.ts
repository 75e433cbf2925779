import { applyChainHead } from '#server/chain/apply-chain-head.ts';
import { bookNetworkCosts } from '#server/chain/book-network-costs.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { markDeadTransactions } from '#server/chain/mark-dead-transactions.ts';
import type { ReadNetwork } from '#server/chain/read-chains.ts';
import { rereadOverlap } from '#server/chain/reread-overlap.ts';
import { restChainCursorSql } from '#server/sql/rest-chain-cursor.sql.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

// Five runs of a network that is far behind; then the confirmations are counted once for all of them.
const BLOCKS_A_TURN = 250;
// A head that stood still for so many turns belongs to a network without traffic: asked for less often, and what hangs on it less often still.
const STILL_TURNS = 10;
const STILL_REST = 4;
const STILL_APPLY_EVERY = 4;

/** Reads one network, its newest blocks once more at the start. Two indexers are safe: of each block one writes it. */
export function startChainIndexerLoop(
  tools: Pick<WorkerTools, 'db' | 'times'>,
  { networkId, port, rests }: ReadNetwork,
): Loop {
  const reader = { db: tools.db, chain: port };
  let isOverlapRead = false;
  let lastNumber: number | null = null;
  let stillTurns = 0;
  return startLoop({
    name: `indexer_${networkId}`,
    idleMs: tools.times.chainPollMs,
    runOnce: async () => {
      if (!isOverlapRead) {
        const { kind } = await rereadOverlap(reader, { networkId });
        // The turn below walks back, or waits for the node; then the overlap is another one.
        isOverlapRead = kind !== 'again';
      }
      const { number, indexed, isBehind } = await indexBlocks(reader, { networkId, limit: BLOCKS_A_TURN });
      stillTurns = number !== null && number === lastNumber && indexed === 0 ? stillTurns + 1 : 0;
      lastNumber = number;
      if (number === null) return { again: isBehind };
      const isStill = rests && stillTurns > STILL_TURNS;
      const rest = isStill ? { restMs: STILL_REST * tools.times.chainPollMs } : {};
      if (isStill && stillTurns % STILL_APPLY_EVERY !== 0) return { again: isBehind, ...rest };
      // Also without a new block: custody may have named a transaction that was there before its name.
      await applyChainHead(tools, { networkId, headNumber: number, indexed });
      // A reader that is behind proves nothing about what is not there.
      if (!isBehind) {
        if (isStill) await tools.db.query(restChainCursorSql, [networkId, number]);
        await markDeadTransactions(reader, { networkId, headNumber: number });
        await bookNetworkCosts(reader, { networkId, headNumber: number });
      }
      return { again: isBehind, ...rest };
    },
  });
}
