import type { Statement } from '#server/db/database.ts';

/**
 * `accepted_transition` for many rows. The attempt of each keeps its answer, whether its row moved or not; history is made from
 * the rows that moved. Rows are locked in the order of their ids, before their attempts.
 *
 * $1 to $11 arrays of what `accepted_transition` takes; of one withdrawal one proof at most
 */
export const gatheredAcceptedTransitionSql: Statement = {
  name: 'gathered_accepted_transition',
  text: `
with asked as (
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::integer[], $5::text[], $6::float8[], $7::text[], $8::text[], $9::jsonb[], $10::text[],
      $11::text[])
    with ordinality as a(id, status, transfer_id, attempt, outcome, wait_ms, actor, reason, evidence, provider, account, place)
), locked as (
  select w.id from withdrawals w where w.id = any($1::uuid[]) order by w.id for no key update
), moved as (
  update withdrawals w
  set status = 'submitted', transfer_id = q.transfer_id, submitted_at = (select protocol_now()), revision = w.revision + 1,
    provider = coalesce(w.provider, q.provider), provider_account = coalesce(w.provider_account, q.account),
    wait_reason = null, parked_at = null, parked_reason = null,
    next_action_at = (select protocol_now()) + q.wait_ms * interval '1 millisecond'
  from asked q join locked l on l.id = q.id
  -- The words are asked of what was read: asked of the row, the planner reads everything that is under way in place of the ids.
  where w.id = q.id and w.status = q.status and q.status in ('dispatching', 'in_doubt')
  returning w.id, w.fence, q.place
), attempt as (
  update withdrawal_attempts a
  set outcome = coalesce(a.outcome, q.outcome), outcome_at = coalesce(a.outcome_at, (select protocol_now())), transfer_id = q.transfer_id,
    detail = case when a.outcome is null then q.evidence else a.detail end,
    late_outcome = case when a.outcome is null or a.outcome = q.outcome then a.late_outcome else q.outcome end,
    late_at = case when a.outcome is null or a.outcome = q.outcome then a.late_at else (select protocol_now()) end,
    late_detail = case when a.outcome is null or a.outcome = q.outcome then a.late_detail else q.evidence end
  from asked q join locked l on l.id = q.id
  where a.withdrawal_id = q.id and a.attempt = q.attempt
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, q.status, 'submitted', m.fence, q.actor, q.reason, q.evidence || jsonb_build_object('transferId', q.transfer_id)
  from moved m join asked q on q.place = m.place
)
select m.place::integer as place, m.fence, q.attempt, 'submitted' as status from moved m join asked q on q.place = m.place`,
};
