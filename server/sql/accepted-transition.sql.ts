import type { Statement } from '#server/db/database.ts';

/**
 * Proof that custody has the transfer. It needs no fence: it is true whoever brings it and whenever it comes. The attempt
 * keeps the answer even where the row had already moved on.
 *
 * $1 id, $2 status as it was read, $3 transfer id, $4 attempt or null, $5 that attempt's outcome, $6 milliseconds until we look
 * ourselves, $7 actor, $8 reason, $9 evidence, $10 provider, $11 account
 */
export const acceptedTransitionSql: Statement = {
  name: 'accepted_transition',
  text: `
with moved as (
  update withdrawals w
  set status = 'submitted', transfer_id = $3, submitted_at = protocol_now(), revision = w.revision + 1,
    provider = coalesce(w.provider, $10), provider_account = coalesce(w.provider_account, $11),
    wait_reason = null, parked_at = null, parked_reason = null,
    next_action_at = protocol_now() + $6::float8 * interval '1 millisecond'
  -- The words are asked of what was read, or the planner reads everything that is under way in place of the id.
  where w.id = $1 and w.status = $2 and $2 in ('dispatching', 'in_doubt')
  returning w.id, w.fence
), attempt as (
  update withdrawal_attempts a
  set outcome = coalesce(a.outcome, $5), outcome_at = coalesce(a.outcome_at, protocol_now()), transfer_id = $3,
    detail = case when a.outcome is null then $9::jsonb else a.detail end,
    late_outcome = case when a.outcome is null or a.outcome = $5 then a.late_outcome else $5 end,
    late_at = case when a.outcome is null or a.outcome = $5 then a.late_at else protocol_now() end,
    late_detail = case when a.outcome is null or a.outcome = $5 then a.late_detail else $9::jsonb end
  where a.withdrawal_id = $1 and a.attempt = $4::integer
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, $2, 'submitted', m.fence, $7, $8, $9::jsonb || jsonb_build_object('transferId', $3::text)
  from moved m
)
select m.fence, $4::integer as attempt, 'submitted' as status from moved m`,
};
