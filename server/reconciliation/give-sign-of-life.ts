import type { Database } from '#server/db/database.ts';
import { writeSignOfLife } from '#server/reconciliation/write-sign-of-life.ts';
import { wakeStoppedWithdrawals } from '#server/withdrawals/wake-stopped-withdrawals.ts';

/**
 * The first sign in a life of the database, given by whoever has just walked custody's list: what waited for it goes on at once.
 *
 * @returns false where the database was restored or started again behind the walk: nothing is claimed, and the list is walked anew
 */
export async function giveSignOfLife(deps: { db: Database }, input: { life: string }): Promise<boolean> {
  if (!(await writeSignOfLife(deps, input))) return false;
  await wakeStoppedWithdrawals(deps, { reasons: ['memory_unchecked'] });
  return true;
}
