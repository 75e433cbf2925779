import type { Statement } from '#server/db/database.ts';

/**
 * A final effect on the chain equals what was asked: the hold is posted. An effect completes one withdrawal and no second
 * (`withdrawals_completing_effect_unique`). Proof, so no fence.
 *
 * $1 id, $2 status as it was read, $3 effect, $4 confirmations, $5 evidence
 */
export const completedTransitionSql: Statement = {
  name: 'completed_transition',
  text: `
with moved as (
  update withdrawals w
  set status = 'completed', completing_effect_id = e.id, transaction_hash = e.transaction_hash, confirmations = $4::integer,
    ended_at = protocol_now(), next_action_at = null, wait_reason = null, parked_at = null, parked_reason = null,
    revision = w.revision + 1
  from chain_effects e
  where w.id = $1 and w.status = $2 and w.status in ('submitted', 'broadcast')
    and e.id = $3 and e.withdrawal_id = w.id and e.state = 'final'
  returning w as ended, w.id, w.fence, e.transaction_hash
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, $2, 'completed', m.fence, 'indexer', 'final_on_chain',
    $5::jsonb || jsonb_build_object('effectId', $3::bigint, 'transactionHash', m.transaction_hash)
  from moved m
)
select m.fence, null::integer as attempt, 'completed' as status, ledger_post(m.ended) from moved m`,
};
