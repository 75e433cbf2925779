import type { Statement } from '#server/db/database.ts';
import { withdrawalColumns } from '#server/sql/withdrawal-columns.sql.ts';

/** One withdrawal of one customer; a null customer is staff, who may see all. */
export const findWithdrawalSql: Statement = {
  name: 'find_withdrawal',
  text: `
    select protocol_now() as now, ${withdrawalColumns('w')}
    from withdrawals w where w.id = $1 and ($2::uuid is null or w.customer_id = $2)`,
};

/** What narrows a customer's history; each is compared with a value of its own. */
const CONDITIONS = {
  statuses: (value: string) => `w.status = any (${value}::text[])`,
  asset: (value: string) => `w.asset_id = ${value}`,
  network: (value: string) => `w.network_id = ${value}`,
  from: (value: string) => `w.requested_at >= ${value}`,
  until: (value: string) => `w.requested_at < ${value}`,
} as const;
export type HistoryCondition = keyof typeof CONDITIONS;

/** What somebody pastes: whole, and in the letter case of wherever it was copied from. Each is found by its own index. */
const NAMED = [
  'w.id = $6::uuid',
  'w.idempotency_key = $6::uuid',
  'lower(w.address) = $4::text',
  'w.transaction_hash = any (array[$4::text, $5::text])',
  'w.id in (select t.withdrawal_id from withdrawal_transactions t where t.transaction_hash = any (array[$4::text, $5::text]))',
];

// Scalars, and not a join: only so is the place in the index where the page begins. Behind somebody else's withdrawal there is nothing.
const BEFORE_CURSOR = `(w.requested_at, w.id) < ((select cur.requested_at from cur), (select cur.id from cur))`;

/**
 * A page of a customer's withdrawals, newest first, from behind the one named as cursor: flat at any depth, where an
 * offset grows with it. A key that was given up names no money and is no withdrawal. What is not asked for is not in the statement:
 * "none given, or equal" hides how many rows it lets through, and Postgres would read the customer's whole history and sort it.
 *
 * $1 customer, $2 cursor or null, $3 how many; where something is searched for $4 it in lower case, $5 as typed, $6 as a UUID or null; then the
 * values of the conditions, in their order
 */
export function findWithdrawalsSql(
  conditions: readonly HistoryCondition[],
  { searched }: { searched: boolean },
): Statement {
  const firstValue = searched ? 7 : 4;
  const page = (...more: readonly string[]) => {
    const narrowed = conditions.map((name, at) => CONDITIONS[name](`$${firstValue + at}`));
    return [
      'w.customer_id = $1',
      `w.refusal_code is distinct from 'given_up'`,
      BEFORE_CURSOR,
      ...narrowed,
      ...more,
    ].join(' and ');
  };
  const newest = 'order by w.requested_at desc, w.id desc limit $3';
  const found = NAMED.map((name) => `(select w.id from withdrawals w where ${page(name)} ${newest})`);
  return {
    name: ['find_withdrawals', ...(searched ? ['named'] : []), ...conditions].join('_'),
    text: `
    with cur as (
      select case when $2::uuid is null then 'infinity' else c.requested_at end as requested_at,
        case when $2::uuid is null then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else c.id end as id
      from (select 1) one left join withdrawals c on c.id = $2 and c.customer_id = $1
    )
    select protocol_now() as now, ${withdrawalColumns('w')}
    from ${searched ? `(${found.join(' union ')}) f join withdrawals w on w.id = f.id` : `withdrawals w where ${page()}`} ${newest}`,
  };
}
