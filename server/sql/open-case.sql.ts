import type { Statement } from '#server/db/database.ts';

/**
 * Opens a case once, and with it stops what must not go on: the customer's payouts, or the asset. A case that is already
 * there changes nothing, so that what people resumed stays resumed.
 *
 * $1 kind, $2 fingerprint, $3 withdrawal or null, $4 customer whose payouts stop or null, $5 evidence, $6 asset that pauses or null,
 * $7 whether coins left after their hold was given back, which is booked once as late
 */
export const openCaseSql: Statement = {
  name: 'open_case',
  text: `
with opened as (
  insert into cases (kind, fingerprint, withdrawal_id, customer_id, evidence)
  values ($1, $2, $3, coalesce((select w.customer_id from withdrawals w where w.id = $3), $4::uuid), $5::jsonb)
  on conflict (fingerprint) do nothing returning id
), stopped as (
  update customers c set payouts_stopped_at = protocol_now(), payouts_stopped_reason = $1
  from opened where c.id = $4::uuid and c.payouts_stopped_at is null
), paused as (
  insert into switches (scope, target, reason, paused_by)
  select 'asset', $6::text, $1, 'system' from opened where $6::text is not null
  on conflict (scope, target) where resumed_at is null do nothing
), costs_again as (
  -- What a transaction cost that was given up as never mined.
  update withdrawal_transactions t set cost_settled_at = null, cost_looked_at = null
  from opened, withdrawals w
  where $7::boolean and t.withdrawal_id = $3 and w.id = t.withdrawal_id and t.cost_settled_at is not null
    and not exists (select 1 from network_costs c where c.network_id = w.network_id and c.transaction_hash = t.transaction_hash)
)
select o.id, (select ledger_late(w) from withdrawals w where w.id = $3 and $7::boolean) as late_transfer_id from opened o`,
};
