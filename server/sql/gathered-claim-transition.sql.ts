import type { Statement } from '#server/db/database.ts';
import { NO_TRANSFER, TRIES } from '#server/sql/send-conditions.sql.ts';

/**
 * `claim_transition` for many rows, each under its own fence: attempts and history are made from the rows that moved, never from
 * those that were asked for. A row that is not returned was not claimed. Rows are locked in the order of their ids, as every statement
 * for many locks them, so that two of them never hold what the other waits for.
 *
 * $1 to $11 arrays of what `claim_transition` takes; of one withdrawal one claim at most
 */
export const gatheredClaimTransitionSql: Statement = {
  name: 'gathered_claim_transition',
  text: `
with asked as (
  select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::timestamptz[], $7::bytea[], $8::text[], $9::float8[],
      $10::text[], $11::integer[])
    with ordinality as a(id, status, fence, provider, account, not_after, body, body_sha256, wait_ms, reason, attempts_max, place)
), locked as (
  select w.id from withdrawals w where w.id = any($1::uuid[]) order by w.id for no key update
), moved as (
  update withdrawals w
  set status = 'dispatching', fence = w.fence + 1, provider = q.provider, provider_account = q.account, wait_reason = null,
    next_action_at = (select protocol_now()) + q.wait_ms * interval '1 millisecond'
  from asked q join locked l on l.id = q.id
  -- The words are asked of what was read: asked of the row, the planner reads everything that is under way in place of the ids, and asks
  -- of each whether it may be paid (32 of 20,000 that wait: 520 ms in place of 6).
  where w.id = q.id and w.status = q.status and w.fence = q.fence and q.status in ('queued', 'in_doubt')
    and w.next_action_at <= (select protocol_now())
    and (select p.reason from payout_stops(w) p) is null
    and ${NO_TRANSFER}
    -- No other provider or account ever gets a copy.
    and (w.provider is null or (w.provider = q.provider and w.provider_account = q.account))
    and ${TRIES} < q.attempts_max
  returning w.id, w.fence, q.place
), attempt as (
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, not_after, body, body_sha256)
  select m.id, 1 + coalesce((select max(a.attempt) from withdrawal_attempts a where a.withdrawal_id = m.id), 0),
    'send', m.fence, q.provider, q.account, q.not_after, q.body, q.body_sha256
  from moved m join asked q on q.place = m.place
  returning withdrawal_id, attempt
), history as (
  insert into withdrawal_history (withdrawal_id, from_status, to_status, fence, actor, reason, evidence)
  select m.id, q.status, 'dispatching', m.fence, 'worker', q.reason, jsonb_build_object('attempt', a.attempt, 'bodySha256', q.body_sha256)
  from moved m join asked q on q.place = m.place join attempt a on a.withdrawal_id = m.id
)
select m.place::integer as place, m.fence, a.attempt, 'dispatching' as status from moved m join attempt a on a.withdrawal_id = m.id`,
};
