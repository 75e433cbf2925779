import type { ChainBlock, ChainPort } from '#server/chain/chain-port.ts';
import { rewindBlocks } from '#server/chain/rewind-blocks.ts';
import type { Database } from '#server/db/database.ts';
import { reachFaultPoint } from '#server/fault-points.ts';
import { beginChainCursorSql } from '#server/sql/begin-chain-cursor.sql.ts';
import { findChainCursorSql } from '#server/sql/find-chain-cursor.sql.ts';
import { insertChainBlockSql } from '#server/sql/insert-chain-block.sql.ts';
import { moveChainCursorSql } from '#server/sql/move-chain-cursor.sql.ts';

export interface IndexResult {
  /** Blocks written by this call. */
  readonly indexed: number;
  /** The newest block that is written, or null when nothing can be said about this network. */
  readonly number: number | null;
  /** Whether the node has more. */
  readonly isBehind: boolean;
}

interface Cursor {
  readonly number: number;
  readonly hash: string;
}

// A first start does not read a whole chain; nothing of ours can be older than our first withdrawal.
const FIRST_BLOCKS_MAX = 10_000;

/**
 * Reads a network forward, a block and a transaction at a time: parent compared, block, effects, cursor. Where the node's chain
 * is no longer ours it goes back to the common ancestor first. A node that lies or lags moves nothing; it is asked again.
 *
 * @throws ChainAnswerRefused, or the network's error
 */
export async function indexBlocks(
  deps: { db: Database; chain: ChainPort },
  input: { networkId: string; limit: number },
): Promise<IndexResult> {
  const { networkId } = input;
  const state = await readState(deps, networkId);
  if (state === null) return { indexed: 0, number: null, isBehind: false };
  const { confirmationsRequired, watched } = state;
  let cursor = state.cursor;
  const head = await deps.chain.head();
  // The node is behind us: it lags, or its chain was cut off. Neither is a reason to move.
  if (head.number < cursor.number) return { indexed: 0, number: cursor.number, isBehind: false };
  if (head.number === cursor.number && head.hash !== cursor.hash) {
    await rewindBlocks(deps, { networkId, cursor, confirmationsRequired });
    return { indexed: 0, number: null, isBehind: true };
  }
  let indexed = 0;
  while (indexed < input.limit && cursor.number < head.number) {
    const block = await deps.chain.block(cursor.number + 1, watched);
    if (block === null) break;
    if (block.parentHash !== cursor.hash) {
      await rewindBlocks(deps, { networkId, cursor, confirmationsRequired });
      return { indexed, number: null, isBehind: true };
    }
    if (!(await writeBlock(deps, networkId, cursor, block))) break;
    await reachFaultPoint('I3');
    cursor = { number: block.number, hash: block.hash };
    indexed += 1;
  }
  return { indexed, number: cursor.number, isBehind: cursor.number < head.number };
}

interface CursorRow {
  readonly confirmations_required: number;
  readonly block_number: string | null;
  readonly block_hash: string | null;
  readonly halted: boolean;
  readonly contracts: string[];
}

async function readState(deps: { db: Database; chain: ChainPort }, networkId: string) {
  const [row] = await deps.db.query<CursorRow>(findChainCursorSql, [networkId]);
  if (row === undefined || row.halted) return null;
  const { block_number: number, block_hash: hash } = row;
  const cursor =
    number === null || hash === null ? await beginCursor(deps, networkId) : { number: Number(number), hash };
  if (cursor === null) return null;
  return { cursor, confirmationsRequired: row.confirmations_required, watched: new Set(row.contracts) };
}

async function beginCursor(deps: { db: Database; chain: ChainPort }, networkId: string): Promise<Cursor | null> {
  const head = await deps.chain.head();
  const number = Math.max(0, head.number - FIRST_BLOCKS_MAX);
  const header = await deps.chain.header(number);
  if (header === null) return null;
  await deps.db.query(beginChainCursorSql, [networkId, number, header.hash, header.parentHash]);
  return { number, hash: header.hash };
}

/** False when another indexer has moved the cursor; then nothing of this block is kept. */
async function writeBlock(
  deps: { db: Database },
  networkId: string,
  from: Cursor,
  block: ChainBlock,
): Promise<boolean> {
  try {
    await deps.db.transaction(async (tx) => {
      await reachFaultPoint('I1');
      const { transfers } = block;
      await tx.query(insertChainBlockSql, [
        networkId,
        block.number,
        block.hash,
        block.parentHash,
        block.minedAt,
        transfers.map((transfer) => transfer.transactionHash),
        transfers.map((transfer) => transfer.ordinal),
        transfers.map((transfer) => transfer.contract),
        transfers.map((transfer) => transfer.from),
        transfers.map((transfer) => transfer.to),
        transfers.map((transfer) => transfer.amountMinor.toString()),
      ]);
      await reachFaultPoint('I2');
      const moved = await tx.query(moveChainCursorSql, [networkId, from.number, from.hash, block.number, block.hash]);
      if (moved.length === 0) throw new CursorMoved();
    });
    return true;
  } catch (error) {
    if (error instanceof CursorMoved) return false;
    throw error;
  }
}

class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}
