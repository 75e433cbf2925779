import type { Statement } from '#server/db/database.ts';
import { withdrawalColumns } from '#server/sql/withdrawal-columns.sql.ts';

/** One withdrawal of one customer; a null customer is staff, who may see all. */
export const findWithdrawalSql: Statement = {
  name: 'find_withdrawal',
  text: `
    select protocol_now() as now, ${withdrawalColumns('w')}
    from withdrawals w where w.id = $1 and ($2::uuid is null or w.customer_id = $2)`,
};

/**
 * A page of a customer's withdrawals, newest first, from behind the one named as cursor: flat at any depth, where an
 * offset grows with it. A key that was given up names no money and is no withdrawal.
 */
export const findWithdrawalsSql: Statement = {
  name: 'find_withdrawals',
  text: `
    select protocol_now() as now, ${withdrawalColumns('w')}
    from withdrawals w
    where w.customer_id = $1 and w.refusal_code is distinct from 'given_up'
      and ($2::uuid is null or (w.requested_at, w.id) < (
        select c.requested_at, c.id from withdrawals c where c.id = $2 and c.customer_id = $1))
      and ($3::text[] is null or w.status = any ($3))
      and ($4::text is null or w.asset_id = $4)
      and ($6::text is null or w.network_id = $6)
      and ($7::timestamptz is null or w.requested_at >= $7) and ($8::timestamptz is null or w.requested_at < $8)
      -- What somebody pastes: whole, and in the letter case of wherever it was copied from.
      and ($9::text is null or lower($9) in (w.id::text, w.idempotency_key::text, lower(w.address), lower(w.transaction_hash))
        or exists (select 1 from withdrawal_transactions t where t.withdrawal_id = w.id and lower(t.transaction_hash) = lower($9)))
    order by w.requested_at desc, w.id desc limit $5`,
};
