import type { Statement } from '#server/db/database.ts';

const COLUMNS = `w.id, w.idempotency_key, w.status, w.fence, w.customer_id, w.asset_id, w.network_id, w.address, w.memo, w.amount_minor,
  w.transfer_id, w.completing_effect_id, (select a.decimals from assets a where a.id = w.asset_id) as decimals,
  coalesce((select jsonb_agg(jsonb_build_object('attempt', t.attempt, 'outcome', t.outcome, 'provedAbsentAt', t.proved_absent_at,
      'notAfterMs', floor(extract(epoch from t.not_after) * 1000)) order by t.attempt)
    from withdrawal_attempts t where t.withdrawal_id = w.id and t.kind = 'send' and t.proved_absent_at is not null), '[]') as absent_sends`;

/**
 * The row that a fact is about, locked until the fact is applied.
 *
 * $1 id or null, $2 reference (the idempotency key) or null
 */
export const lockWithdrawalSql: Statement = {
  name: 'lock_withdrawal',
  text: `
select ${COLUMNS}
from withdrawals w
where (w.id = $1::uuid or w.idempotency_key = $2::uuid) and w.asset_id is not null
for update of w`,
};

/** The same for many, locked in the order of their ids, so that two batches never hold what the other waits for. $1 ids, $2 references */
export const lockWithdrawalsSql: Statement = {
  name: 'lock_withdrawals',
  text: `
with locked as (
  select w.* from withdrawals w
  where (w.id = any($1::uuid[]) or w.idempotency_key = any($2::uuid[])) and w.asset_id is not null
  order by w.id
  for update of w
)
select q.place::integer as place, ${COLUMNS}
from unnest($1::uuid[], $2::uuid[]) with ordinality as q(id, reference, place)
join locked w on w.id = q.id or w.idempotency_key = q.reference`,
};
