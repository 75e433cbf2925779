import type { Statement } from '#server/db/database.ts';
import { MEMORY_IS_FRESH } from '#server/sql/send-conditions.sql.ts';

/**
 * One person said no: the request ends and its hold with it. Nothing of it was ever sent, because it never came to the queue; that is
 * believed only while our memory is known to be no older than the world.
 *
 * $1 id, $2 revision, $3 operator, $4 reason
 */
export const rejectTransitionSql: Statement = {
  name: 'reject_transition',
  text: `
with moved as (
  update withdrawals w
  set status = 'rejected', ended_at = protocol_now(), next_action_at = null, wait_reason = null, parked_at = null,
    parked_reason = null, revision = w.revision + 1
  where w.id = $1 and w.status = 'awaiting_approval' and w.revision = $2
    and ${MEMORY_IS_FRESH}
    and not exists (select 1 from inbox_events e where e.reference = w.idempotency_key and e.applied_at is null)
  returning w as ended, w.id, w.fence
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, 'awaiting_approval', 'rejected', m.fence, $3::text, 'rejected', jsonb_build_object('note', $4::text) from moved m
)
select m.fence, null::integer as attempt, 'rejected' as status, ledger_void(m.ended) from moved m`,
};
