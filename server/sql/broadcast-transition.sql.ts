import type { Statement } from '#server/db/database.ts';

/**
 * Custody made the transaction. Proof, so no fence.
 *
 * $1 id, $2 transaction hash, $3 milliseconds until we look ourselves, $4 actor, $5 reason, $6 evidence
 */
export const broadcastTransitionSql: Statement = {
  name: 'broadcast_transition',
  text: `
with asked as materialized (
  -- Compared with a word of its own, the planner reads everything that is under way in place of the id.
  select $1::uuid as id, 'submitted' as status
), moved as (
  update withdrawals w
  set status = 'broadcast', transaction_hash = $2, broadcast_at = protocol_now(), wait_reason = null, revision = w.revision + 1,
    next_action_at = protocol_now() + $3::float8 * interval '1 millisecond'
  from asked q where w.id = q.id and w.status = q.status
  returning w.id, w.fence
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, 'submitted', 'broadcast', m.fence, $4, $5, $6::jsonb || jsonb_build_object('transactionHash', $2::text) from moved m
)
select m.fence, null::integer as attempt, 'broadcast' as status from moved m`,
};
