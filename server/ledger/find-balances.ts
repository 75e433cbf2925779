import { fromMinorText } from '#domain/money.ts';
import type { Db, Statement } from '#server/db/database.ts';

export interface AssetBalance {
  readonly assetId: string;
  readonly name: string;
  readonly decimals: number;
  readonly availableMinor: bigint;
  /** Set aside for withdrawals that are under way. */
  readonly heldMinor: bigint;
}

/** What a customer has, for every asset, by its id. An asset without a balance row reads as zero. */
export async function findBalances(deps: { db: Db }, input: { customerId: string }): Promise<readonly AssetBalance[]> {
  const rows = await deps.db.query<BalanceRow>(findBalancesSql, [input.customerId]);
  return rows.map((row) => ({
    assetId: row.id,
    name: row.name,
    decimals: row.decimals,
    availableMinor: fromMinorText(row.available_minor),
    heldMinor: fromMinorText(row.held_minor),
  }));
}

const findBalancesSql: Statement = {
  name: 'find_balances',
  text: `
    select a.id, a.name, a.decimals, coalesce(b.available_minor, 0) as available_minor, coalesce(b.held_minor, 0) as held_minor
    from assets a left join customer_balances b on b.asset_id = a.id and b.customer_id = $1
    order by a.id`,
};

interface BalanceRow {
  readonly id: string;
  readonly name: string;
  readonly decimals: number;
  readonly available_minor: string;
  readonly held_minor: string;
}
