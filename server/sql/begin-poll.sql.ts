import type { Statement } from '#server/db/database.ts';

/**
 * One look at a transfer that custody has: the row is leased, and the look-up written down before it is asked. No fence is
 * taken, because nothing that this look may bring needs one.
 *
 * $1 id, $2 provider, $3 account, $4 milliseconds of the lease
 */
export const beginPollSql: Statement = {
  name: 'begin_poll',
  text: `
with leased as (
  update withdrawals w set next_action_at = protocol_now() + $4::float8 * interval '1 millisecond'
  where w.id = $1 and w.status in ('submitted', 'broadcast') and w.next_action_at <= protocol_now()
  returning w.id, w.fence, w.idempotency_key, w.status, w.status_since, w.parked_at is not null as parked
), attempt as (
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account)
  select l.id, 1 + coalesce((select max(a.attempt) from withdrawal_attempts a where a.withdrawal_id = l.id), 0), 'look_up', l.fence, $2, $3
  from leased l
  returning attempt
)
select l.idempotency_key as reference, l.status, l.fence, l.parked, a.attempt,
  (extract(epoch from protocol_now() - l.status_since) * 1000)::float8 as age_ms
from leased l, attempt a`,
};
