import type { Statement } from '#server/db/database.ts';
import { MEMORY_IS_FRESH, WAITING_EVENTS } from '#server/sql/send-conditions.sql.ts';

/**
 * The customer, or an operator for them, takes the request back, from where nothing can have been sent and from nowhere else. A parked row may be
 * cancelled too; while our own memory is in question, or not yet held against custody's, nobody cancels. The hold ends in the same statement.
 *
 * $1 id, $2 customer, $3 operator or null, $4 the operator's reason or null
 */
export const cancelTransitionSql: Statement = {
  name: 'cancel_transition',
  text: `
with locked as (
  select w.id, w.status from withdrawals w
  where w.id = $1 and w.customer_id = $2 and w.status in ('queued', 'awaiting_approval')
    and ${MEMORY_IS_FRESH}
    and not exists (select 1 ${WAITING_EVENTS})
  for update
), moved as (
  update withdrawals w
  set status = 'cancelled', ended_at = protocol_now(), next_action_at = null, wait_reason = null, parked_at = null,
    parked_reason = null, revision = w.revision + 1
  from locked l where w.id = l.id
  returning w as ended, w.id, w.fence, l.status as from_status
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, m.from_status, 'cancelled', m.fence, coalesce($3::text, 'customer'),
    case when $3::text is null then 'cancelled_by_customer' else 'cancelled_by_operator' end,
    case when $3::text is null then '{}' else jsonb_build_object('note', $4::text) end
  from moved m
)
select m.fence, null::integer as attempt, 'cancelled' as status, ledger_void(m.ended) from moved m`,
};
