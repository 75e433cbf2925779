import type { Statement } from '#server/db/database.ts';

/**
 * Our own memory is older than the world: whatever says "not sent", or stands on attempts that may not be all, gets an attempt
 * of unknown outcome and unknown bytes and is in doubt, once a spell of look-up only. Its not-after is the latest that the lost memory can have fixed. Rows
 * are taken in order, so that two who find it out at once wait for each other and the second finds nothing left.
 *
 * $1 evidence
 */
export const memoryTransitionSql: Statement = {
  name: 'memory_transition',
  text: `
with spell as (
  select s.* from look_up_only_spells s where s.ended_at is null
), unsure as (
  select w.id, w.status from withdrawals w, spell s
  where w.status in ('awaiting_approval', 'queued', 'dispatching', 'in_doubt')
    and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send'
      and a.detail ->> 'reason' = 'memory_lost' and a.started_at >= s.began_at)
  order by w.id for update of w
), moved as (
  update withdrawals w
  set status = 'in_doubt', fence = w.fence + 1, revision = w.revision + 1, wait_reason = 'look_up_only',
    provider = coalesce(w.provider, s.provider), provider_account = coalesce(w.provider_account, s.provider_account), next_action_at = protocol_now()
  from unsure u, spell s where w.id = u.id
  returning w.id, w.fence, w.provider, w.provider_account, u.status as from_status
), attempt as (
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, not_after, body, body_sha256,
    started_at, outcome, outcome_at, detail)
  select m.id, 1 + coalesce((select max(a.attempt) from withdrawal_attempts a where a.withdrawal_id = m.id), 0), 'send', m.fence,
    m.provider, m.provider_account, protocol_now() + s.not_after, '', encode(sha256(''), 'hex'),
    c.at, 'in_doubt', c.at, jsonb_build_object('reason', 'memory_lost')
  from moved m cross join spell s cross join lateral (select protocol_clock() as at where m.id is not null) c
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, m.from_status, 'in_doubt', m.fence, 'reconciliation', 'memory_lost', $1::jsonb
  from moved m where m.from_status <> 'in_doubt'
)
select '0' as fence, null::integer as attempt, 'in_doubt' as status, count(*)::integer as rows from moved`,
};
