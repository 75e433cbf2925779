import type { Statement } from '#server/db/database.ts';

/**
 * Proof of a transfer found a row that says "not sent": before anything else the row stops being sendable and cancellable.
 *
 * $1 id, $2 status as it was read, $3 actor, $4 reason, $5 evidence
 */
export const doubtTransitionSql: Statement = {
  name: 'doubt_transition',
  text: `
with moved as (
  update withdrawals w
  set status = 'in_doubt', fence = w.fence + 1, revision = w.revision + 1, next_action_at = protocol_now()
  where w.id = $1 and w.status = $2 and w.status in ('awaiting_approval', 'queued', 'dispatching')
  returning w.id, w.fence
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, $2, 'in_doubt', m.fence, $3, $4, $5::jsonb from moved m
)
select m.fence, null::integer as attempt, 'in_doubt' as status from moved m`,
};
