import type { Db, Statement } from '#server/db/database.ts';

/** One way in which the books do not agree with themselves. */
export interface LedgerDifference {
  readonly kind:
    | 'available_differs'
    | 'held_differs'
    | 'below_zero'
    | 'held_without_withdrawal'
    | 'not_balanced'
    | 'closing_differs';
  readonly assetId: string;
  readonly customerId: string | null;
  /** By how much the books claim more than the entries say, in minor units; below zero for less. */
  readonly differenceMinor: bigint;
}

/**
 * Counts everything once more: each asset sums to zero, each balance is the sum of its entries, nothing that may not be is below
 * zero, and what is held is exactly what unfinished withdrawals hold. Database triggers keep all of that; this is for the day
 * on which somebody switched one off.
 *
 * @param input.deep reads every entry since the beginning and compares the closed balances too
 */
export async function verifyLedger(deps: { db: Db }, input: { deep: boolean }): Promise<readonly LedgerDifference[]> {
  const shallow = await deps.db.query<DifferenceRow>(verifyLedgerSql, []);
  const deep = input.deep ? await deps.db.query<DifferenceRow>(verifyClosingSql, []) : [];
  return [...shallow, ...deep].map((row) => ({
    kind: row.kind,
    assetId: row.asset_id,
    customerId: row.customer_id,
    differenceMinor: BigInt(row.difference),
  }));
}

interface DifferenceRow {
  readonly kind: LedgerDifference['kind'];
  readonly asset_id: string;
  readonly customer_id: string | null;
  readonly difference: string;
}

/** One statement, so that all of it is about one moment. A hundred differences are enough to stop for. */
const verifyLedgerSql: Statement = {
  name: 'verify_ledger',
  text: `
    with sums as (
      select a.id, a.asset_id, a.kind, a.customer_id, coalesce(s.credits_minor, 0) - coalesce(s.debits_minor, 0) as balance
      from ledger_accounts a left join ledger_account_sums() s on s.account_id = a.id
    ), held as (
      select w.customer_id, w.asset_id, sum(w.total_minor) as total from withdrawals w
      where w.status not in ('completed', 'failed', 'cancelled', 'rejected', 'refused') group by 1, 2
    )
    select 'not_balanced' as kind, asset_id, null::uuid as customer_id, sum(balance)::numeric(78, 0)::text as difference
      from sums group by 2 having sum(balance) <> 0
    union all
    select case s.kind when 'customer_available' then 'available_differs' else 'held_differs' end, s.asset_id, s.customer_id,
        (case s.kind when 'customer_available' then b.available_minor else b.held_minor end - s.balance)::numeric(78, 0)::text
      from sums s join customer_balances b on b.customer_id = s.customer_id and b.asset_id = s.asset_id
      where s.kind in ('customer_available', 'customer_held')
        and case s.kind when 'customer_available' then b.available_minor else b.held_minor end <> s.balance
    union all
    select 'below_zero', s.asset_id, s.customer_id, (-s.balance)::numeric(78, 0)::text
      from sums s where s.kind in ('customer_available', 'customer_held') and s.balance < 0
    union all
    select 'held_without_withdrawal', b.asset_id, b.customer_id, (b.held_minor - coalesce(h.total, 0))::numeric(78, 0)::text
      from customer_balances b left join held h on h.customer_id = b.customer_id and h.asset_id = b.asset_id
      where b.held_minor <> coalesce(h.total, 0)
    limit 100`,
};

const verifyClosingSql: Statement = {
  name: 'verify_closing',
  text: `
    with last as (select l.id, l.through_transfer_id from ledger_closings l order by l.id desc limit 1), summed as (
      select s.account_id, sum(s.amount) as balance from (
        select e.credit_account_id as account_id, e.amount_minor as amount from ledger_entries e, last l where e.transfer_id <= l.through_transfer_id
        union all
        select e.debit_account_id, -e.amount_minor from ledger_entries e, last l where e.transfer_id <= l.through_transfer_id
      ) s group by 1
    ), closed as (
      select distinct on (c.account_id) c.account_id, c.credits_minor - c.debits_minor as balance
      from ledger_closed_balances c, last l where c.closing_id <= l.id order by c.account_id, c.closing_id desc
    )
    select 'closing_differs' as kind, a.asset_id, a.customer_id,
      (coalesce(c.balance, 0) - coalesce(s.balance, 0))::numeric(78, 0)::text as difference
    from closed c full join summed s on s.account_id = c.account_id join ledger_accounts a on a.id = coalesce(c.account_id, s.account_id)
    where coalesce(c.balance, 0) <> coalesce(s.balance, 0) limit 100`,
};
