import type { Statement } from '#server/db/database.ts';

/**
 * What becomes of a transfer on a network whose chain nobody of ours reads, after a look at custody. Nothing there proves its end: what
 * custody has confirmed waits under that reason; what custody gave up, or has not confirmed in time, waits for people. Not
 * seen is not dead, so neither releases anything. A confirmation lifts the flag again, and no other of that row.
 *
 * $1 id, $2 what custody says: open, confirmed or failed, $3 milliseconds in one status until people are asked, $4 milliseconds until a
 * parked row is looked at again
 */
export const waitWithoutReaderSql: Statement = {
  name: 'wait_without_reader',
  text: `
with unread as (
  select w.id, $2::text = 'confirmed' as confirmed, coalesce(w.parked_reason in ('given_up_unproved', 'end_unproved'), false) as parked_by_us,
    case when $2::text = 'failed' then 'given_up_unproved'
      when $2::text = 'open' and w.status_since < protocol_now() - $3::float8 * interval '1 millisecond' then 'end_unproved' end as reason
  from withdrawals w
  where w.id = $1 and w.status in ('submitted', 'broadcast')
    and not exists (select 1 from chain_cursors c where c.network_id = w.network_id)
  for update
)
update withdrawals w
set wait_reason = case when u.confirmed then 'no_reader' when u.reason is null then w.wait_reason end,
  parked_at = case when u.confirmed and u.parked_by_us then null when u.reason is null then w.parked_at else coalesce(w.parked_at, protocol_now()) end,
  parked_reason = case when u.confirmed and u.parked_by_us then null when u.parked_by_us or w.parked_at is null then coalesce(u.reason, w.parked_reason)
    else w.parked_reason end,
  -- Whoever proposed something about it saw another row.
  revision = w.revision + case when (u.confirmed and u.parked_by_us) or (u.reason is not null and w.parked_reason is distinct from u.reason) then 1 else 0 end,
  next_action_at = case when u.reason is not null then protocol_now() + $4::float8 * interval '1 millisecond' else w.next_action_at end
from unread u where w.id = u.id and (u.confirmed or u.reason is not null)
returning w.parked_reason`,
};
