import type { Database, Statement } from '#server/db/database.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';

/**
 * How long the walk must wait after a start. A request of the world before may still be under way at custody, and a walk that
 * overtakes it sees nothing. There is none where somebody was alive a moment ago in this life of the database (a restart of ours), where no row says "not sent",
 * or where nothing was ever sent.
 */
export async function findWalkDelayMs(deps: { db: Database; times: ProtocolTimes }): Promise<number> {
  const { aliveIntervalMs, quietPeriodMs } = deps.times;
  const [row] = await deps.db.query<{ may_be_under_way: boolean }>(findUnderWaySql, [3 * aliveIntervalMs]);
  return row?.may_be_under_way === false ? 0 : quietPeriodMs;
}

const findUnderWaySql: Statement = {
  name: 'find_may_be_under_way',
  text: `
    select coalesce(s.alive_at < protocol_now() - $1::float8 * interval '1 millisecond' or s.alive_in <> server_life(), true)
      and exists (select 1 from withdrawals w where w.status in ('awaiting_approval', 'queued'))
      and exists (select 1 from withdrawal_attempts) as may_be_under_way
    from protocol_settings s`,
};
