import type { Db, Statement } from '#server/db/database.ts';

// The longest window is thirty days; two more for a clock that was moved.
const KEPT_DAYS = 32;
/** A turn of these takes milliseconds, and the next one is half a minute away. */
const ROWS_MAX = 10_000;

/** Deletes sums that no window reaches any more; what they summed stays in the withdrawals. */
export async function forgetOldUsage(deps: { db: Db }): Promise<{ forgotten: number }> {
  const gone = await deps.db.query(forgetOldUsageSql, [KEPT_DAYS, ROWS_MAX]);
  return { forgotten: gone.length };
}

const forgetOldUsageSql: Statement = {
  name: 'forget_old_usage',
  text: `
    delete from withdrawal_usage u using (
      select x.customer_id, x.span_hours, x.begins_at, x.asset_id from withdrawal_usage x
      where x.begins_at < protocol_now() - $1::integer * interval '1 day' order by x.begins_at limit $2 for update skip locked) old
    where (u.customer_id, u.span_hours, u.begins_at, u.asset_id) = (old.customer_id, old.span_hours, old.begins_at, old.asset_id)
    returning 1`,
};
