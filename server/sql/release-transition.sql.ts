import type { Statement } from '#server/db/database.ts';

/**
 * Two people end a doubt on proof of absence, or on custody's signed statement: every send that may have been carried out is marked as
 * proved absent, and the hold goes back. What custody gave up on a network that we do not read they end on its statement alone, and its
 * transactions are dead by that word. The guard `withdrawals_released_by_two` looks at commit for their confirmed resolution of this evidence.
 *
 * $1 id, $2 fence, $3 revision, $4 resolution, $5 who confirmed
 */
export const releaseTransitionSql: Statement = {
  name: 'release_transition',
  text: `
with locked as (
  select w.id, w.status from withdrawals w
  where w.id = $1 and w.fence = $2 and w.revision = $3 and w.status in ('in_doubt', 'submitted', 'broadcast')
    and w.parked_at is not null
    and (select s.mode from protocol_settings s) = 'normal' and withdrawal_may_be_released(w)
  for update
), proved as (
  update withdrawal_attempts a set proved_absent_at = protocol_now()
  from locked l
  where l.status = 'in_doubt' and a.withdrawal_id = l.id and a.kind = 'send' and a.proved_absent_at is null
    and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later')
  returning a.attempt
), dead as (
  update withdrawal_transactions t set dead_at = protocol_now(), dead_reason = 'stated_by_custody'
  from locked l
  where l.status <> 'in_doubt' and t.withdrawal_id = l.id and t.dead_at is null
  returning t.transaction_hash
), moved as (
  update withdrawals w
  set status = 'failed', failure_code = case l.status when 'in_doubt' then 'absence_proved' else 'never_paid' end, ended_at = protocol_now(), next_action_at = null, wait_reason = null,
    parked_at = null, parked_reason = null, revision = w.revision + 1
  from locked l, (select count(*) as attempts from proved) p
  where w.id = l.id
  returning w as ended, w.id, w.fence, l.status as from_status, p.attempts
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, m.from_status, 'failed', m.fence, $5::text, 'released_by_two',
    jsonb_build_object('resolution', $4::text, 'attemptsProvedAbsent', m.attempts,
      'deadTransactions', (select count(*) from dead), 'statement',
      (select s.id from custody_statements s where s.withdrawal_id = m.id order by s.signed_at desc limit 1))
  from moved m
)
select m.fence, null::integer as attempt, 'failed' as status, ledger_void(m.ended) from moved m`,
};
