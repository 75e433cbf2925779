import type { Statement } from '#server/db/database.ts';
import { WAITING_EVENTS } from '#server/sql/send-conditions.sql.ts';

/**
 * Custody's final failure, read by a look-up, and every transaction it ever signed is dead: the hold ends. A transaction that
 * may still come keeps the hold, whatever custody says.
 *
 * $1 id, $2 status as it was read, $3 failure code, $4 evidence
 */
export const failedTransitionSql: Statement = {
  name: 'failed_transition',
  text: `
with moved as (
  update withdrawals w
  set status = 'failed', failure_code = $3, ended_at = protocol_now(), next_action_at = null, wait_reason = null,
    revision = w.revision + 1
  where w.id = $1 and w.status = $2 and w.status in ('submitted', 'broadcast') and w.parked_at is null
    and (select s.mode from protocol_settings s) = 'normal'
    and not exists (select 1 from withdrawal_transactions t where t.withdrawal_id = w.id and t.dead_at is null)
    and not exists (select 1 from chain_effects e where e.withdrawal_id = w.id and e.state <> 'orphaned')
    and not exists (select 1 ${WAITING_EVENTS})
  returning w as ended, w.id, w.fence
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, $2, 'failed', m.fence, 'resolver', 'custody_failed_finally', $4::jsonb from moved m
)
select m.fence, null::integer as attempt, 'failed' as status, ledger_void(m.ended) from moved m`,
};
