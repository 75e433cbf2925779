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

// So far behind nobody waits for a single block, and a commit for each would cost more than its contents.
const FAR_BEHIND = 100;
const RUN_MAX = 50;
// Questions under way at once: more makes a node slower and not us faster.
const READ_AHEAD = 8;

/**
 * Reads a network forward, a block and a transaction at a time (a run of blocks where it is far behind): parent compared, block, effects, cursor. Where the node's chain
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
    const behind = head.number - cursor.number;
    const length = behind > FAR_BEHIND ? Math.min(RUN_MAX, input.limit - indexed) : 1;
    const run = await readRun(deps, cursor, length, watched);
    if (run === 'another_chain') {
      await rewindBlocks(deps, { networkId, cursor, confirmationsRequired });
      return { indexed, number: null, isBehind: true };
    }
    const last = run.at(-1);
    if (last === undefined || !(await writeRun(deps, networkId, cursor, run))) break;
    await reachFaultPoint('I3');
    cursor = { number: last.number, hash: last.hash };
    indexed += run.length;
  }
  return { indexed, number: cursor.number, isBehind: cursor.number < head.number };
}

/** Blocks that follow the cursor, each the child of the one before; fewer where the chain changed while they were read. */
async function readRun(
  deps: { chain: ChainPort },
  cursor: Cursor,
  length: number,
  watched: ReadonlySet<string>,
): Promise<readonly ChainBlock[] | 'another_chain'> {
  const run: ChainBlock[] = [];
  let parentHash = cursor.hash;
  for (let from = 1; from <= length; from += READ_AHEAD) {
    const numbers = Array.from(
      { length: Math.min(READ_AHEAD, length - from + 1) },
      (_, index) => cursor.number + from + index,
    );
    for (const block of await Promise.all(numbers.map((number) => deps.chain.block(number, watched)))) {
      if (block === null) return run;
      if (block.parentHash !== parentHash) return run.length === 0 ? 'another_chain' : run;
      run.push(block);
      parentHash = block.hash;
    }
  }
  return run;
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

/** False when another indexer has moved the cursor; then nothing of these blocks is kept. */
async function writeRun(
  deps: { db: Database },
  networkId: string,
  from: Cursor,
  run: readonly ChainBlock[],
): Promise<boolean> {
  const last = run.at(-1);
  if (last === undefined) return false;
  try {
    await deps.db.transaction(async (tx) => {
      await reachFaultPoint('I1');
      for (const block of run) await tx.query(insertChainBlockSql, toRow(networkId, block));
      await reachFaultPoint('I2');
      const moved = await tx.query(moveChainCursorSql, [networkId, from.number, from.hash, last.number, last.hash]);
      if (moved.length === 0) throw new CursorMoved();
    });
    return true;
  } catch (error) {
    if (error instanceof CursorMoved) return false;
    throw error;
  }
}

function toRow(networkId: string, block: ChainBlock): readonly unknown[] {
  const { number, hash, parentHash, minedAt, transfers } = block;
  return [
    networkId,
    number,
    hash,
    parentHash,
    minedAt,
    transfers.map((transfer) => transfer.transactionHash),
    transfers.map((transfer) => transfer.ordinal),
    transfers.map((transfer) => transfer.contract),
    transfers.map((transfer) => transfer.from),
    transfers.map((transfer) => transfer.to),
    transfers.map((transfer) => transfer.amountMinor.toString()),
  ];
}

class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}
