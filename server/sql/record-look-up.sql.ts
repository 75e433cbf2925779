import type { Statement } from '#server/db/database.ts';

/**
 * What a look-up said, and when the row is looked at again, under the fence that the look-up took. A parked reason parks it.
 *
 * $1 id, $2 fence, $3 attempt, $4 outcome, $5 detail, $6 milliseconds, $7 wait reason or null, $8 parked reason or null
 */
export const recordLookUpSql: Statement = {
  name: 'record_look_up',
  text: `
with moved as (
  update withdrawals w
  set next_action_at = protocol_now() + $6::float8 * interval '1 millisecond', wait_reason = $7,
    parked_at = case when $8::text is null then w.parked_at else coalesce(w.parked_at, protocol_now()) end,
    parked_reason = coalesce(w.parked_reason, $8)
  where w.id = $1 and w.fence = $2 and w.status = 'in_doubt'
  returning w.id
), attempt as (
  update withdrawal_attempts a set outcome = $4, outcome_at = protocol_now(), detail = $5::jsonb
  where a.withdrawal_id = $1 and a.attempt = $3 and a.outcome is null
)
select m.id from moved m`,
};
