import type { Inclusion } from '../networks/payment-network.ts';

export type JournalRow = {
  hash: string;
  raw: string;
  nonce: bigint;
  version: number;
  status: 'signed' | 'broadcast' | 'confirmed' | 'replaced' | 'failed';
  included_height: number | null;
  included_block: string | null;
  settled: boolean;
};

export type Progress =
  | { kind: 'confirmed' | 'failed'; hash: string; height: number; block: string | null; failureCode: string | null }
  | { kind: 'reorged' | 'dropped' | 'settled'; hash: string };

/**
 * What the chain's view means for our journal. With `chainNonce` the view is complete (every row was asked for) and an
 * absence counts; with null it holds the new blocks only, and absence says nothing.
 */
export function judgeTransactions(input: {
  rows: readonly JournalRow[];
  found: ReadonlyMap<string, Inclusion>;
  chainNonce: bigint | null;
  headHeight: number;
  finalityBlocks: number;
}): Progress[] {
  const { rows, found, chainNonce } = input;
  const finalHeight = input.headHeight - input.finalityBlocks;
  const takenNonces = new Set(rows.filter((row) => found.has(row.hash)).map((row) => row.nonce));
  return rows.flatMap((row): Progress[] => {
    const inclusion = found.get(row.hash);
    if (inclusion !== undefined) return included(row, inclusion, finalHeight);
    if (takenNonces.has(row.nonce)) return row.status === 'replaced' ? [] : [{ kind: 'dropped', hash: row.hash }];
    if (chainNonce === null) return settledByDepth(row, finalHeight, rows);
    if (row.nonce < chainNonce) {
      // The number was used by a transaction that is not ours: this one can never be included.
      if (row.status === 'failed' || row.status === 'replaced') return settledByDepth(row, finalHeight, rows);
      const newer = rows.some((other) => other.nonce === row.nonce && other.version > row.version);
      if (newer) return [{ kind: 'dropped', hash: row.hash }];
      // Noted at today's height, so that it becomes final with depth like an inclusion does.
      return [{ kind: 'failed', hash: row.hash, height: input.headHeight, block: null, failureCode: 'nonce_spent' }];
    }
    return row.included_height === null && row.status !== 'failed' ? [] : [{ kind: 'reorged', hash: row.hash }];
  });
}

function included(row: JournalRow, inclusion: Inclusion, finalHeight: number): Progress[] {
  const kind = inclusion.success ? 'confirmed' : 'failed';
  const known = row.status === kind && row.included_block === inclusion.block;
  const progress: Progress = {
    kind,
    hash: row.hash,
    height: inclusion.height,
    block: inclusion.block,
    failureCode: null,
  };
  const settled: Progress[] =
    inclusion.height <= finalHeight && !row.settled ? [{ kind: 'settled', hash: row.hash }] : [];
  return known ? settled : [progress, ...settled];
}

function settledByDepth(row: JournalRow, finalHeight: number, rows: readonly JournalRow[]): Progress[] {
  if (row.settled) return [];
  const rival = rows.find(
    (other) => other.nonce === row.nonce && other.hash !== row.hash && other.included_height !== null,
  );
  const height = row.included_height ?? rival?.included_height ?? null;
  return height !== null && height <= finalHeight ? [{ kind: 'settled', hash: row.hash }] : [];
}
