import type { ChainBlock, ChainPort } from '#server/chain/chain-port.ts';
import { readRun } from '#server/chain/read-run.ts';
import { rewindBlocks } from '#server/chain/rewind-blocks.ts';
import { toRunColumns } from '#server/chain/run-columns.ts';
import type { Database } from '#server/db/database.ts';
import { reachFaultPoint } from '#server/fault-points.ts';
import { beginChainCursorSql } from '#server/sql/begin-chain-cursor.sql.ts';
import { findChainCursorSql } from '#server/sql/find-chain-cursor.sql.ts';
import { insertChainBlocksSql } from '#server/sql/insert-chain-blocks.sql.ts';
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

/**
 * Reads a network forward, a block and a transaction at a time (a run of blocks where it is far behind): parent compared,
 * block, effects, cursor; the next run is read while this one is written. Where the node's chain is no longer ours it goes
 * back to the common ancestor first. A node that lies or lags moves nothing; it is asked again.
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
    return await goBack(deps, { networkId, cursor, confirmationsRequired, indexed: 0 });
  }
  const last = Math.min(head.number, cursor.number + input.limit);
  const startReading = (from: Cursor) => {
    const run = readRun(deps, from, Math.min(RUN_MAX, last - from.number), watched);
    // Looked at when its turn comes; until then a failure is nobody's.
    run.catch(() => undefined);
    return run;
  };
  let indexed = 0;
  let next = startReading(cursor);
  while (cursor.number < last) {
    const run = await next;
    if (run === 'another_chain') return await goBack(deps, { networkId, cursor, confirmationsRequired, indexed });
    const end = run.at(-1);
    if (end === undefined) break;
    next = startReading(end);
    const isFar = head.number - cursor.number > FAR_BEHIND;
    for (const part of isFar ? [run] : run.map((block) => [block])) {
      if (!(await writeRun(deps, networkId, cursor, part))) {
        await next.catch(() => undefined);
        return { indexed, number: cursor.number, isBehind: true };
      }
      await reachFaultPoint('I3');
      cursor = part.at(-1) ?? cursor;
      indexed += part.length;
    }
  }
  return { indexed, number: cursor.number, isBehind: cursor.number < head.number };
}

/**
 * To the block that the node and we agree on; the turn after it reads on from there, at once. A node that agrees with our newest block and
 * names another one as the parent of the next contradicts itself: it is asked again no sooner than any other.
 */
async function goBack(
  deps: { db: Database; chain: ChainPort },
  input: { networkId: string; cursor: Cursor; confirmationsRequired: number; indexed: number },
): Promise<IndexResult> {
  const { indexed, ...where } = input;
  const gone = await rewindBlocks(deps, where);
  return { indexed, number: null, isBehind: gone.kind !== 'rewound' || gone.depth > 0 };
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
      await tx.query(insertChainBlocksSql, toRunColumns(networkId, run, last.number));
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

class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}
