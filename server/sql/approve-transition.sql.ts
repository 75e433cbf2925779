import type { Statement } from '#server/db/database.ts';

/**
 * Enough people have approved: the row goes to the queue. Run after the approval's own insert, in its transaction and
 * under the row's lock, because a count read in the statement that waits for the lock would miss the other person's.
 *
 * $1 id, $2 revision, $3 operator, $4 reason
 */
export const approveTransitionSql: Statement = {
  name: 'approve_transition',
  text: `
with moved as (
  update withdrawals w set status = 'queued', next_action_at = protocol_now(), wait_reason = null, revision = w.revision + 1
  where w.id = $1 and w.status = 'awaiting_approval' and w.revision = $2
    and (select s.mode from protocol_settings s) = 'normal'
    and (select count(distinct a.approver_id) from approvals a
      where a.withdrawal_id = w.id and a.decision = 'approved' and a.revision = w.revision
        and a.payload_sha256 = withdrawal_payload_sha256(w)) >= w.approvals_required
  returning w.id, w.fence
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, 'awaiting_approval', 'queued', m.fence, $3::text, 'approved', jsonb_build_object('note', $4::text) from moved m
), woken as (
  insert into outbox (withdrawal_id) select m.id from moved m
)
select m.fence, null::integer as attempt, 'queued' as status from moved m`,
};
