import { formatAmount, fromMinorText } from '#domain/money.ts';
import type { Db, Statement } from '#server/db/database.ts';

export interface ShownAdjustment {
  adjustmentId: string;
  asset: string;
  debit: { kind: string; customerId: string | null };
  credit: { kind: string; customerId: string | null };
  amount: string;
  reason: string;
  proposedBy: string;
  /** For whether it is whoever looks: names are not their own. */
  proposedById: string;
  proposedAt: string;
  confirmedBy: string | null;
  confirmedAt: string | null;
}

/** A page from behind the one named as cursor, those that wait for a second person first. */
export async function findAdjustments(
  deps: { db: Db },
  input: { cursor: string | null; limit: number },
): Promise<{ items: ShownAdjustment[]; nextCursor: string | null }> {
  const rows = await deps.db.query<AdjustmentRow>(findAdjustmentsSql, [input.cursor]);
  const items = rows.slice(0, input.limit).map((row) => ({
    adjustmentId: row.id,
    asset: row.asset_id,
    debit: { kind: row.debit_kind, customerId: row.debit_customer },
    credit: { kind: row.credit_kind, customerId: row.credit_customer },
    amount: formatAmount(fromMinorText(row.amount_minor), row.decimals),
    reason: row.reason,
    proposedBy: row.proposed_by,
    proposedById: row.proposed_by_id,
    proposedAt: row.proposed_at.toISOString(),
    confirmedBy: row.confirmed_by,
    confirmedAt: row.confirmed_at?.toISOString() ?? null,
  }));
  return { items, nextCursor: rows.length > input.limit ? (items.at(-1)?.adjustmentId ?? null) : null };
}

interface AdjustmentRow {
  readonly id: string;
  readonly asset_id: string;
  readonly decimals: number;
  readonly debit_kind: string;
  readonly debit_customer: string | null;
  readonly credit_kind: string;
  readonly credit_customer: string | null;
  readonly amount_minor: string;
  readonly reason: string;
  readonly proposed_by: string;
  readonly proposed_by_id: string;
  readonly proposed_at: Date;
  readonly confirmed_by: string | null;
  readonly confirmed_at: Date | null;
}

/** A page of a hundred and one more, written out for the planner. $1 cursor */
const findAdjustmentsSql: Statement = {
  name: 'find_adjustments',
  text: `
    with cur as (
      select coalesce(c.confirmed_at, 'infinity') as confirmed_at, coalesce(c.proposed_at, 'infinity') as proposed_at,
        coalesce(c.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id
      from (select 1) one left join ledger_adjustments c on c.id = $1::uuid
    ), found as (
      select f.* from ledger_adjustments f
      where (coalesce(f.confirmed_at, 'infinity'::timestamptz), f.proposed_at, f.id)
        < ((select cur.confirmed_at from cur), (select cur.proposed_at from cur), (select cur.id from cur))
      order by coalesce(f.confirmed_at, 'infinity'::timestamptz) desc, f.proposed_at desc, f.id desc limit 101
    )
    select j.id, j.asset_id, a.decimals, d.kind as debit_kind, d.customer_id as debit_customer, c.kind as credit_kind,
      c.customer_id as credit_customer, j.amount_minor, j.reason, p.name as proposed_by, j.proposed_by as proposed_by_id, j.proposed_at,
      q.name as confirmed_by, j.confirmed_at
    from found j join assets a on a.id = j.asset_id
    join ledger_accounts d on d.id = j.debit_account_id join ledger_accounts c on c.id = j.credit_account_id
    join users p on p.id = j.proposed_by left join users q on q.id = j.confirmed_by
    order by coalesce(j.confirmed_at, 'infinity'::timestamptz) desc, j.proposed_at desc, j.id desc`,
};
