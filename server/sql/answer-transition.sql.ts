import type { Statement } from '#server/db/database.ts';

/**
 * What became of one send, where the answer is no proof of a transfer. Written only where id, fence and status still match:
 * everything else is kept beside the attempt as a late answer. Back to `queued` only where this and every other send of the
 * row is known to have made nothing. The row is locked before the attempt is written and the attempt before the row moves,
 * because the trigger reads the attempts.
 *
 * $1 id, $2 fence, $3 attempt, $4 outcome, $5 detail, $6 milliseconds to wait as `queued`, $7 as `in_doubt`, $8 wait reason
 */
export const answerTransitionSql: Statement = {
  name: 'answer_transition',
  text: `
with locked as (
  select w.id from withdrawals w where w.id = $1 and w.fence = $2 and w.status = 'dispatching' for update
), attempt as (
  update withdrawal_attempts a set outcome = $4, outcome_at = protocol_now(), detail = $5::jsonb
  from locked l
  where a.withdrawal_id = l.id and a.attempt = $3 and a.fence = $2 and a.outcome is null
  returning a.withdrawal_id
), late as (
  update withdrawal_attempts a set late_outcome = $4, late_at = protocol_now(), late_detail = $5::jsonb
  where a.withdrawal_id = $1 and a.attempt = $3 and a.late_outcome is null and not exists (select 1 from attempt)
), target as (
  select t.withdrawal_id as id, case when $4::text in ('not_sent', 'later') and not exists (
      select 1 from withdrawal_attempts o
      where o.withdrawal_id = t.withdrawal_id and o.kind = 'send' and o.attempt <> $3
        and coalesce(o.outcome, 'in_doubt') not in ('not_sent', 'later') and o.proved_absent_at is null)
    then 'queued' else 'in_doubt' end as status
  from attempt t
), moved as (
  update withdrawals w
  set status = g.status, wait_reason = $8,
    next_action_at = protocol_now()
      + (case when g.status = 'queued' then $6::float8 else $7::float8 end) * interval '1 millisecond'
  from target g where w.id = g.id
  returning w.id, w.status, w.fence
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, 'dispatching', m.status, m.fence, 'worker', $4, $5::jsonb || jsonb_build_object('attempt', $3::integer)
  from moved m
)
select m.fence, $3::integer as attempt, m.status from moved m`,
};
