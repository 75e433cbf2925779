import type { Statement } from '#server/db/database.ts';
import { withdrawalColumns } from '#server/sql/withdrawal-columns.sql.ts';

const SOURCE = `
    select protocol_now() as now, u.email as customer_email, ${withdrawalColumns('w')},
      (select count(*)::integer from withdrawal_attempts t where t.withdrawal_id = w.id and t.kind = 'send') as attempts
    from withdrawals w join users u on u.id = w.customer_id
    where w.refusal_code is distinct from 'given_up'`;

const SEARCH = `
      and ($3::text is null or strpos(u.email, $3) > 0 or lower(w.address) = $3 or lower(w.transaction_hash) = $3
        or lower(w.transfer_id) = $3 or w.id::text = $3 or w.idempotency_key::text = $3 or w.customer_id::text = $3)`;

/** $1 cursor, $2 statuses, $3 search in lower case, $4 limit. */
export const findNewestWithdrawalsSql: Statement = {
  name: 'find_newest_withdrawals',
  text: `${SOURCE}
      and ($1::uuid is null or (w.requested_at, w.id) < (select c.requested_at, c.id from withdrawals c where c.id = $1))
      and ($2::text[] is null or w.status = any ($2))${SEARCH}
    order by w.requested_at desc, w.id desc limit $4`,
};

/**
 * What waits for people first, then the longest in its status. Ended ones have nothing worse to come and are left out
 * unless they are asked for, by status or by a search.
 */
export const findWorstWithdrawalsSql: Statement = {
  name: 'find_worst_withdrawals',
  text: `${SOURCE}
      and ($1::uuid is null or ((w.parked_at is null)::integer, w.status_since, w.id) > (
        select (c.parked_at is null)::integer, c.status_since, c.id from withdrawals c where c.id = $1))
      and case when $2::text[] is not null then w.status = any ($2) when $3::text is not null then true
        else w.status not in ('completed', 'failed', 'cancelled', 'rejected', 'refused') end${SEARCH}
    order by (w.parked_at is null)::integer, w.status_since, w.id limit $4`,
};

export const countWithdrawalsSql: Statement = {
  name: 'count_withdrawals',
  text: `
    select w.status, count(*)::integer as count from withdrawals w
    where w.refusal_code is distinct from 'given_up' group by w.status`,
};
