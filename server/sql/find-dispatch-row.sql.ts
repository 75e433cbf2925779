import type { Statement } from '#server/db/database.ts';
import { WAITING_EVENTS } from '#server/sql/send-conditions.sql.ts';

const COLUMNS = `w.id, w.idempotency_key, w.status, w.fence, w.asset_id, w.network_id, w.address, w.memo, w.amount_minor, a.decimals,
  w.customer_id, w.requested_at, w.approvals_required > 0 and withdrawal_lacks_approvals(w) as lacks_approvals, w.provider, w.provider_account, w.transfer_id, w.transaction_hash, w.parked_at is not null as parked, w.status_since,
  (select protocol_now()) as now, coalesce(w.next_action_at <= (select protocol_now()), true) as due, (select p.reason from payout_stops(w) p) as stop_reason,
  (select s.mode <> 'normal' from protocol_settings s) as look_up_only,
  coalesce((select jsonb_agg(jsonb_build_object('number', x.attempt, 'kind', x.kind, 'provider', x.provider, 'account', x.provider_account,
      'startedAtMs', floor(extract(epoch from x.started_at) * 1000), 'notAfterMs', floor(extract(epoch from x.not_after) * 1000),
      'outcome', x.outcome, 'lateOutcome', x.late_outcome, 'transferId', x.transfer_id,
      'reason', case x.outcome when 'refused' then x.detail ->> 'code' when 'in_doubt' then x.detail ->> 'reason' end,
      'code', x.detail ->> 'code', 'provedAbsent', x.proved_absent_at is not null) order by x.attempt)
    from withdrawal_attempts x where x.withdrawal_id = w.id), '[]') as attempts,
  (select count(*) ${WAITING_EVENTS})::integer as events_waiting,
  (select count(*) from withdrawal_transactions t where t.withdrawal_id = w.id)::integer as transactions,
  b.body as last_body, b.body_sha256 as last_body_sha256, b.not_after as last_not_after`;
const BESIDE = `join assets a on a.id = w.asset_id
left join lateral (
  select x.body, x.body_sha256, x.not_after from withdrawal_attempts x
  where x.withdrawal_id = w.id and x.kind = 'send' and x.proved_absent_at is null and length(x.body) > 0
  order by x.attempt desc limit 1
) b on true`;

/**
 * All that a worker must know about one withdrawal before it decides, in one round trip. The clock is the database's, and
 * `due` says whether it is this row's time at all. The bytes are those of the newest send that may be repeated.
 *
 * $1 id
 */
export const findDispatchRowSql: Statement = {
  name: 'find_dispatch_row',
  text: `
select ${COLUMNS}
from withdrawals w
${BESIDE}
where w.id = $1`,
};

/** The same for many. A list whose length the planner sees is planned for anew each time. $1 ids */
export const findDispatchRowsSql: Statement = {
  name: 'find_dispatch_rows',
  text: `
select q.place::integer as place, ${COLUMNS}
from unnest((select $1::uuid[])) with ordinality as q(id, place) join withdrawals w on w.id = q.id
${BESIDE}`,
};
