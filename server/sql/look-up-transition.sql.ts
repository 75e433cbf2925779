import type { Statement } from '#server/db/database.ts';

/**
 * Takes a row whose answer is missing under a new fence, so that whoever still waits for that answer can only bring proof,
 * and writes down the look-up before it is asked. A second delivery that finds `dispatching` comes here and never sends.
 *
 * $1 id, $2 status and $3 fence as they were read, $4 provider, $5 account, $6 milliseconds for which the look-up owns the row
 */
export const lookUpTransitionSql: Statement = {
  name: 'look_up_transition',
  text: `
with moved as (
  update withdrawals w
  set status = 'in_doubt', fence = w.fence + 1, next_action_at = protocol_now() + $6::float8 * interval '1 millisecond'
  where w.id = $1 and w.status = $2 and w.fence = $3 and w.status in ('dispatching', 'in_doubt')
    and w.next_action_at <= protocol_now()
  returning w.id, w.fence
), attempt as (
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account)
  select m.id, 1 + coalesce((select max(a.attempt) from withdrawal_attempts a where a.withdrawal_id = m.id), 0), 'look_up', m.fence, $4, $5
  from moved m
  returning attempt
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason)
  select m.id, 'dispatching', 'in_doubt', m.fence, 'resolver', 'no_answer_recorded' from moved m where $2 = 'dispatching'
)
select m.fence, a.attempt, 'in_doubt' as status from moved m, attempt a`,
};
