import type { Statement } from '#server/db/database.ts';
import { WAITING_EVENTS } from '#server/sql/send-conditions.sql.ts';

/**
 * Absence is proved: no send of this row made a transfer or ever will. Every such attempt is marked, and only then the row
 * goes back, because the trigger looks for an attempt without that mark. Whatever says that a transfer exists is read once more here.
 *
 * $1 id, $2 fence, $3 attempt of the look-up, $4 evidence
 */
export const absenceTransitionSql: Statement = {
  name: 'absence_transition',
  text: `
with locked as (
  select w.id from withdrawals w
  where w.id = $1 and w.fence = $2 and w.status = 'in_doubt' and w.parked_at is null and w.transfer_id is null
    and (select s.mode from protocol_settings s) = 'normal'
    and not withdrawal_lacks_approvals(w)
    and not exists (select 1 from withdrawal_transactions t where t.withdrawal_id = w.id)
    and not exists (select 1 ${WAITING_EVENTS})
    and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id
      and (a.outcome in ('accepted', 'found') or a.late_outcome in ('accepted', 'found')))
  for update
), looked as (
  update withdrawal_attempts a set outcome = 'not_found', outcome_at = protocol_now(), detail = $4::jsonb
  from locked l where a.withdrawal_id = l.id and a.attempt = $3 and a.outcome is null
), proved as (
  update withdrawal_attempts a set proved_absent_at = protocol_now()
  from locked l
  where a.withdrawal_id = l.id and a.kind = 'send' and a.proved_absent_at is null
    and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later')
  returning a.attempt
), moved as (
  update withdrawals w
  set status = 'queued', wait_reason = null, next_action_at = protocol_now()
  from locked l, (select count(*) as attempts from proved) p
  where w.id = l.id
  returning w.id, w.fence, p.attempts
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, 'in_doubt', 'queued', m.fence, 'resolver', 'absence_proved',
    $4::jsonb || jsonb_build_object('lookUp', $3::integer, 'attemptsProvedAbsent', m.attempts)
  from moved m
), woken as (
  insert into outbox (withdrawal_id) select m.id from moved m
)
select m.fence, $3::integer as attempt, 'queued' as status from moved m`,
};
