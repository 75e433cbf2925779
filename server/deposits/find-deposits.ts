import { formatAmount, fromMinorText } from '#domain/money.ts';
import type { Db, Statement } from '#server/db/database.ts';

export interface ShownDeposit {
  readonly depositId: string;
  readonly asset: string;
  readonly network: string;
  readonly amount: string;
  readonly status: 'pending' | 'credited';
  readonly transactionHash: string;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  readonly seenAt: string;
  readonly creditedAt: string | null;
}

/** What came in for a customer, the newest first: pending from the chain's effects, credited from the books. */
export async function findDeposits(
  deps: { db: Db },
  input: { customerId: string; limit: number },
): Promise<{ items: readonly ShownDeposit[] }> {
  const rows = await deps.db.query<DepositRow>(findDepositsSql, [input.customerId, input.limit]);
  return {
    items: rows.map((row) => ({
      depositId: row.effect_id,
      asset: row.asset_id,
      network: row.network_id,
      amount: formatAmount(fromMinorText(row.amount_minor), row.decimals),
      status: row.credited_at === null ? 'pending' : 'credited',
      transactionHash: row.transaction_hash,
      confirmations: row.confirmations,
      confirmationsRequired: row.confirmations_required,
      seenAt: row.seen_at.toISOString(),
      creditedAt: row.credited_at?.toISOString() ?? null,
    })),
  };
}

interface DepositRow {
  readonly effect_id: string;
  readonly asset_id: string;
  readonly network_id: string;
  readonly amount_minor: string;
  readonly decimals: number;
  readonly transaction_hash: string;
  readonly confirmations: number;
  readonly confirmations_required: number;
  readonly seen_at: Date;
  readonly credited_at: Date | null;
}

const findDepositsSql: Statement = {
  name: 'find_deposits',
  text: `
    select e.id as effect_id, p.asset_id, e.network_id, e.amount_minor, a.decimals, e.transaction_hash, finality_at(n, c.block_number) as confirmations_required,
      greatest(0, coalesce(c.block_number, 0) - e.block_number + 1)::integer as confirmations, e.seen_at, x.credited_at
    from deposit_addresses d
    join chain_effects e on e.network_id = d.network_id and e.to_address = d.chain_address and e.state <> 'orphaned' and e.amount_minor > 0
      and (d.memo is null or d.memo = e.memo)
    join networks n on n.id = e.network_id
    join asset_networks p on p.network_id = e.network_id and chain_text(p.contract) is not distinct from e.contract
      and (p.contract is not null or (select count(*) from asset_networks y where y.network_id = n.id and y.contract is null) = 1)
    join assets a on a.id = p.asset_id
    left join chain_cursors c on c.network_id = e.network_id
    left join deposits x on x.effect_id = e.id
    where d.customer_id = $1 order by e.seen_at desc, e.id desc limit $2`,
};
