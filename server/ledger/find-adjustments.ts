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
  proposedAt: string;
  confirmedBy: string | null;
  confirmedAt: string | null;
}

/** The newest hundred, those that wait first, and how many there are in all. */
export async function findAdjustments(deps: { db: Db }): Promise<{ items: ShownAdjustment[]; total: number }> {
  const rows = await deps.db.query<AdjustmentRow>(findAdjustmentsSql, []);
  const items = rows.map((row) => ({
    adjustmentId: row.id,
    asset: row.asset_id,
    debit: { kind: row.debit_kind, customerId: row.debit_customer },
    credit: { kind: row.credit_kind, customerId: row.credit_customer },
    amount: formatAmount(fromMinorText(row.amount_minor), row.decimals),
    reason: row.reason,
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at.toISOString(),
    confirmedBy: row.confirmed_by,
    confirmedAt: row.confirmed_at?.toISOString() ?? null,
  }));
  return { items, total: rows[0]?.total ?? 0 };
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
  readonly proposed_at: Date;
  readonly confirmed_by: string | null;
  readonly confirmed_at: Date | null;
  readonly total: number;
}

const findAdjustmentsSql: Statement = {
  name: 'find_adjustments',
  text: `
    select j.id, j.asset_id, a.decimals, d.kind as debit_kind, d.customer_id as debit_customer, c.kind as credit_kind,
      c.customer_id as credit_customer, j.amount_minor, j.reason, p.name as proposed_by, j.proposed_at, q.name as confirmed_by, j.confirmed_at,
      (select count(*)::integer from ledger_adjustments) as total
    from ledger_adjustments j join assets a on a.id = j.asset_id
    join ledger_accounts d on d.id = j.debit_account_id join ledger_accounts c on c.id = j.credit_account_id
    join users p on p.id = j.proposed_by left join users q on q.id = j.confirmed_by
    order by j.confirmed_at desc nulls first, j.proposed_at desc limit 100`,
};
