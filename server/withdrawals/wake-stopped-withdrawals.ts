import type { Db } from '#server/db/database.ts';
import { wakeStoppedSql } from '#server/sql/wake-stopped.sql.ts';

/**
 * Called by whoever lifts a stop: the rows that waited for it go on at once instead of at their next look.
 *
 * @param input.reasons as `payout_stops` names them: `paused_asset`, `customer_frozen`, `sending_stopped` …
 */
export async function wakeStoppedWithdrawals(
  deps: { db: Db },
  input: { reasons: readonly string[] },
): Promise<{ woken: number }> {
  const rows = await deps.db.query(wakeStoppedSql, [input.reasons]);
  return { woken: rows.length };
}
