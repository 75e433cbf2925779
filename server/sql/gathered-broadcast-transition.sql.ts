import type { Statement } from '#server/db/database.ts';

/**
 * `broadcast_transition` for many rows; history is made from the rows that moved.
 *
 * $1 to $6 arrays of what `broadcast_transition` takes; of one withdrawal one proof at most
 */
export const gatheredBroadcastTransitionSql: Statement = {
  name: 'gathered_broadcast_transition',
  text: `
with asked as (
  select a.*, 'submitted' as status from unnest($1::uuid[], $2::text[], $3::float8[], $4::text[], $5::text[], $6::jsonb[])
    with ordinality as a(id, transaction_hash, wait_ms, actor, reason, evidence, place)
), moved as (
  update withdrawals w
  set status = 'broadcast', transaction_hash = q.transaction_hash, broadcast_at = (select protocol_now()), wait_reason = null, revision = w.revision + 1,
    next_action_at = (select protocol_now()) + q.wait_ms * interval '1 millisecond'
  from asked q
  -- Compared with a word of its own, the planner reads everything that is under way in place of the ids.
  where w.id = q.id and w.status = q.status
  returning w.id, w.fence, q.place
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, 'submitted', 'broadcast', m.fence, q.actor, q.reason, q.evidence || jsonb_build_object('transactionHash', q.transaction_hash)
  from moved m join asked q on q.place = m.place
)
select m.place::integer as place, m.fence, null::integer as attempt, 'broadcast' as status from moved m`,
};
