import type { Statement } from '#server/db/database.ts';
import { NO_TRANSFER, TRIES } from '#server/sql/send-conditions.sql.ts';

/**
 * The intent of one send, committed before its first byte: status, fence, attempt row and history in one round trip. The
 * first send (from `queued`) and a resend (from `in_doubt`) are the same statement, because both need the same answer to
 * "may anything be sent for this row right now", read here and nowhere earlier. One index look-up, 0 rows is an answer.
 *
 * $1 id, $2 status and $3 fence as they were read, $4 provider, $5 account, $6 not-after, $7 bytes, $8 their SHA-256,
 * $9 milliseconds until somebody else may ask what became of it, $10 reason, $11 attempts that may have been sent, at most
 */
export const claimTransitionSql: Statement = {
  name: 'claim_transition',
  text: `
with moved as (
  update withdrawals w
  set status = 'dispatching', fence = w.fence + 1, provider = $4, provider_account = $5, wait_reason = null,
    next_action_at = protocol_now() + $9::float8 * interval '1 millisecond'
  -- The words are asked of what was read, or the planner reads everything that is under way in place of the id.
  where w.id = $1 and w.status = $2 and w.fence = $3 and $2 in ('queued', 'in_doubt')
    and w.next_action_at <= protocol_now()
    and (select p.reason from payout_stops(w) p) is null
    and ${NO_TRANSFER}
    -- No other provider or account ever gets a copy.
    and (w.provider is null or (w.provider = $4 and w.provider_account = $5))
    and ${TRIES} < $11::integer
  returning w.id, w.fence
), attempt as (
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, not_after, body, body_sha256)
  select m.id, 1 + coalesce((select max(a.attempt) from withdrawal_attempts a where a.withdrawal_id = m.id), 0),
    'send', m.fence, $4, $5, $6, $7, $8
  from moved m
  returning attempt
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, $2, 'dispatching', m.fence, 'worker', $10, jsonb_build_object('attempt', a.attempt, 'bodySha256', $8::text)
  from moved m, attempt a
)
select m.fence, a.attempt, 'dispatching' as status from moved m, attempt a`,
};
