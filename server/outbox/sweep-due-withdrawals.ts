import type { Db } from '#server/db/database.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { sweepDueWithdrawalsSql } from '#server/sql/sweep-due-withdrawals.sql.ts';

// Enough for a worker's second; the next sweep takes the rest.
const SWEEP_BATCH = 500;

/**
 * Finds every row whose time has come and gives it a wake-up. This is what brings back whatever Redis lost, and the only timer
 * of a queued row.
 */
export async function sweepDueWithdrawals(deps: { db: Db; times: ProtocolTimes }): Promise<{ woken: number }> {
  const { wakeRepeatMs, overdueMs } = deps.times;
  const woken = await deps.db.query(sweepDueWithdrawalsSql, [SWEEP_BATCH, wakeRepeatMs, overdueMs]);
  return { woken: woken.length };
}
