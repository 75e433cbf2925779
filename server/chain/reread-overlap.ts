import type { ChainBlock, ChainPort } from '#server/chain/chain-port.ts';
import { toRunColumns } from '#server/chain/run-columns.ts';
import type { Database } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import { countEffectsSql } from '#server/sql/count-effects.sql.ts';
import { creditAgainAboveSql } from '#server/sql/credit-again-above.sql.ts';
import { findChainCursorSql } from '#server/sql/find-chain-cursor.sql.ts';
import { findOverlapSql } from '#server/sql/find-overlap.sql.ts';
import { haltChainSql } from '#server/sql/halt-chain.sql.ts';
import { insertChainBlocksSql } from '#server/sql/insert-chain-blocks.sql.ts';
import { moveChainCursorSql } from '#server/sql/move-chain-cursor.sql.ts';

// Two questions to the node; deeper where finality is.
const OVERLAP_MIN = 20;

interface StoredBlock {
  readonly block_number: string;
  readonly block_hash: string;
}

interface CursorRow {
  readonly confirmations_required: number;
  readonly halted: boolean;
  readonly contracts: string[];
}

/**
 * Reads the last blocks below the cursor once more when a process starts, deep enough for all that is not final, and writes them
 * again. It must change nothing; an effect that was missing is added and said aloud. Where the node's chain joins our cursor and
 * not the blocks that we keep below it, our own copy is wrong: the network is halted. Two indexers are safe.
 *
 * @returns `again` while the node has another chain than our cursor, or another indexer moved it: the next turn settles that
 * @throws ChainAnswerRefused, or the network's error
 */
export async function rereadOverlap(
  deps: { db: Database; chain: ChainPort },
  input: { networkId: string },
): Promise<{ kind: 'same' | 'nothing_stored' | 'again' | 'halted' } | { kind: 'mended'; effects: number }> {
  const { networkId } = input;
  const [state] = await deps.db.query<CursorRow>(findChainCursorSql, [networkId]);
  if (state === undefined || state.halted) return { kind: 'nothing_stored' };
  const depth = Math.max(OVERLAP_MIN, state.confirmations_required);
  const stored = (await deps.db.query<StoredBlock>(findOverlapSql, [networkId, depth])).map(toBlock);
  const [oldest, ...overlap] = stored;
  const cursor = overlap.at(-1);
  // The oldest one is only looked at as a parent: below the first block of all nothing was ever read.
  if (oldest === undefined || cursor === undefined) return { kind: 'nothing_stored' };
  const run = await deps.chain.blocks(oldest.number + 1, overlap.length, new Set(state.contracts));
  // Half an answer, or one that was given while the chain changed, says nothing about our copy.
  if (run.at(-1)?.hash !== cursor.hash || !isJoined(run)) return { kind: 'again' };
  const wrong = run[0]?.parentHash === oldest.hash ? findOther(overlap, run) : oldest;
  if (wrong !== undefined) return await halt(deps, networkId, cursor, wrong);
  const effects = await deps.db.transaction(async (tx) => {
    // Where it stands already; while it is locked no other indexer writes.
    const at = [networkId, cursor.number, cursor.hash, cursor.number, cursor.hash];
    if ((await tx.query(moveChainCursorSql, at)).length === 0) return null;
    const span = [networkId, oldest.number, cursor.number];
    const [before] = await tx.query<{ effects: number }>(countEffectsSql, span);
    await tx.query(insertChainBlocksSql, toRunColumns(networkId, run, cursor.number));
    const [after] = await tx.query<{ effects: number }>(countEffectsSql, span);
    const mended = (after?.effects ?? 0) - (before?.effects ?? 0);
    if (mended > 0) await tx.query(creditAgainAboveSql, [networkId, oldest.number]);
    return mended;
  });
  if (effects === null) return { kind: 'again' };
  const fields = { networkId, blocks: run.length, effects };
  if (effects === 0) logger().info('chain.overlap_read', fields);
  else logger().warn('chain.overlap_mended', fields);
  return effects === 0 ? { kind: 'same' } : { kind: 'mended', effects };
}

interface Block {
  readonly number: number;
  readonly hash: string;
}

function isJoined(run: readonly ChainBlock[]): boolean {
  return run.every((block, at) => at === 0 || block.parentHash === run[at - 1]?.hash);
}

function findOther(stored: readonly Block[], run: readonly ChainBlock[]): Block | undefined {
  return stored.find((block, at) => run[at]?.hash !== block.hash);
}

async function halt(
  deps: { db: Database },
  networkId: string,
  cursor: Block,
  { number }: Block,
): Promise<{ kind: 'halted' | 'again' }> {
  const reason = `block ${number} as it is kept is not on the chain of the block that follows it`;
  const rows = await deps.db.query(haltChainSql, [networkId, reason, cursor.number, cursor.hash]);
  if (rows.length === 0) return { kind: 'again' };
  logger().error('chain.halted', new Error(reason), { networkId, number });
  return { kind: 'halted' };
}

function toBlock(row: StoredBlock): Block {
  return { number: Number(row.block_number), hash: row.block_hash };
}
