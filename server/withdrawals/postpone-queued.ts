import type { Db } from '#server/db/database.ts';
import { postponeQueuedSql } from '#server/sql/postpone-queued.sql.ts';

/** Lets a queued row wait, and shows why. False when the row is not queued: then it wants evidence, not patience. */
export async function postponeQueued(
  deps: { db: Db },
  input: { withdrawalId: string; waitMs: number; reason: string },
): Promise<boolean> {
  const rows = await deps.db.query(postponeQueuedSql, [input.withdrawalId, input.waitMs, input.reason]);
  return rows.length > 0;
}
