import type { Statement } from '#server/db/database.ts';

/**
 * What the look said, and when the next one is due; a webhook may have moved the row meanwhile, and then its own time stands and no
 * row is returned.
 *
 * $1 id, $2 attempt, $3 outcome, $4 detail, $5 status as it was read, $6 milliseconds, $7 wait reason or null, $8 the transfer that was
 * found, or null
 */
export const endPollSql: Statement = {
  name: 'end_poll',
  text: `
with attempt as (
  update withdrawal_attempts a set outcome = $3, outcome_at = protocol_now(), detail = $4::jsonb, transfer_id = coalesce($8, a.transfer_id)
  where a.withdrawal_id = $1 and a.attempt = $2 and a.outcome is null
), read as materialized (
  -- Compared with a word of its own, the planner reads everything that is under way in place of the id.
  select $1::uuid as id, $5::text as status
)
update withdrawals w set next_action_at = protocol_now() + $6::float8 * interval '1 millisecond', wait_reason = $7
from read r where w.id = r.id and w.status = r.status
returning w.id`,
};

/** The same for many, locked in the order of their ids. $1 to $8 arrays of what `end_poll` takes */
export const gatheredEndPollSql: Statement = {
  name: 'gathered_end_poll',
  text: `
with asked as (
  select * from unnest($1::uuid[], $2::integer[], $3::text[], $4::jsonb[], $5::text[], $6::float8[], $7::text[], $8::text[])
    with ordinality as a(id, attempt, outcome, detail, status, wait_ms, reason, transfer_id, place)
), locked as (
  select w.id from withdrawals w where w.id = any($1::uuid[]) order by w.id for no key update
), attempt as (
  update withdrawal_attempts a set outcome = q.outcome, outcome_at = protocol_now(), detail = q.detail, transfer_id = coalesce(q.transfer_id, a.transfer_id)
  from asked q join locked l on l.id = q.id
  where a.withdrawal_id = q.id and a.attempt = q.attempt and a.outcome is null
)
update withdrawals w set next_action_at = protocol_now() + q.wait_ms * interval '1 millisecond', wait_reason = q.reason
from asked q join locked l on l.id = q.id where w.id = q.id and w.status = q.status
returning q.place::integer as place, w.id`,
};
