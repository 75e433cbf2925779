import type { Statement } from '#server/db/database.ts';
import { WAITING_EVENTS } from '#server/sql/send-conditions.sql.ts';

/**
 * A refusal that is final by the rule: nothing was made and nothing will be, so the hold ends. Written under the fence of the
 * look-up that showed it; whatever says that a transfer exists is read once more here.
 *
 * $1 id, $2 fence, $3 attempt of the look-up, $4 its outcome, $5 refusal code, $6 reason, $7 evidence, $8 whether absence is proved
 */
export const refusedTransitionSql: Statement = {
  name: 'refused_transition',
  text: `
with locked as (
  select w.id from withdrawals w
  where w.id = $1 and w.fence = $2 and w.status = 'in_doubt' and w.parked_at is null and w.transfer_id is null
    and (select s.mode from protocol_settings s) = 'normal'
    and not exists (select 1 from withdrawal_transactions t where t.withdrawal_id = w.id)
    and not exists (select 1 ${WAITING_EVENTS})
    and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id
      and (a.outcome in ('accepted', 'found') or a.late_outcome in ('accepted', 'found')))
  for update
), looked as (
  update withdrawal_attempts a set outcome = $4, outcome_at = protocol_now(), detail = $7::jsonb
  from locked l where a.withdrawal_id = l.id and a.attempt = $3 and a.outcome is null
), proved as (
  update withdrawal_attempts a set proved_absent_at = protocol_now()
  from locked l
  where $8::boolean and a.withdrawal_id = l.id and a.kind = 'send' and a.proved_absent_at is null
    and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later')
  returning a.attempt
), moved as (
  update withdrawals w
  set status = 'failed', failure_code = $5, ended_at = protocol_now(), next_action_at = null, wait_reason = null,
    revision = w.revision + 1
  from locked l, (select count(*) as attempts from proved) p
  where w.id = l.id
  returning w as ended, w.id, w.fence
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, 'in_doubt', 'failed', m.fence, 'resolver', $6, $7::jsonb || jsonb_build_object('lookUp', $3::integer)
  from moved m
)
select m.fence, $3::integer as attempt, 'failed' as status, ledger_void(m.ended) from moved m`,
};
