import { formatAmount, fromMinorText } from '#domain/money.ts';
import type { Db, Statement } from '#server/db/database.ts';

export interface TrialBalance {
  assets: {
    assetId: string;
    decimals: number;
    accounts: { kind: string; debits: string; credits: string; balance: string }[];
    /** Credits less debits of every account: anything but 0 is an alarm. */
    sum: string;
  }[];
  closedThrough: string | null;
  asOf: string;
}

/**
 * Debits, credits and balance of every kind of account, by asset, as of one moment. It reads the sums of the last closing and
 * the entries after it, so it grows neither with history that is closed nor with the number of customers.
 */
export async function findTrialBalance(deps: { db: Db }): Promise<TrialBalance> {
  const rows = await deps.db.query<SumRow>(findTrialBalanceSql, []);
  const [first] = rows;
  const ids = [...new Set(rows.map((row) => row.asset_id))];
  return {
    assets: ids.map((assetId) =>
      toAsset(
        assetId,
        rows.filter((row) => row.asset_id === assetId),
      ),
    ),
    closedThrough: first?.closed_through ?? null,
    asOf: (first?.now ?? new Date(0)).toISOString(),
  };
}

function toAsset(assetId: string, rows: readonly SumRow[]): TrialBalance['assets'][number] {
  const decimals = rows[0]?.decimals ?? 0;
  const show = (minor: bigint) => formatAmount(minor, decimals);
  const accounts = rows.map((row) => {
    const debits = fromMinorText(row.debits);
    const credits = fromMinorText(row.credits);
    return { kind: row.kind, debits, credits };
  });
  const sum = accounts.reduce((total, { debits, credits }) => total + credits - debits, 0n);
  return {
    assetId,
    decimals,
    accounts: accounts.map(({ kind, debits, credits }) => ({
      kind,
      debits: show(debits),
      credits: show(credits),
      balance: show(credits - debits),
    })),
    sum: show(sum),
  };
}

interface SumRow {
  readonly asset_id: string;
  readonly decimals: number;
  readonly kind: string;
  readonly debits: string;
  readonly credits: string;
  readonly closed_through: string | null;
  readonly now: Date;
}

const findTrialBalanceSql: Statement = {
  name: 'find_trial_balance',
  text: `
    with recursive kinds as (
      (select a.asset_id, a.kind from ledger_accounts a order by 1, 2 limit 1)
      union all
      -- From one kind to the next by the index: each is as many accounts as there are customers.
      (select n.asset_id, n.kind from kinds k cross join lateral (
        select a.asset_id, a.kind from ledger_accounts a where (a.asset_id, a.kind) > (k.asset_id, k.kind) order by 1, 2 limit 1) n)
    )
    select k.asset_id, x.decimals, k.kind, coalesce(s.debits_minor, 0)::numeric(78, 0) as debits,
      coalesce(s.credits_minor, 0)::numeric(78, 0) as credits,
      (select max(through_transfer_id) from ledger_closings) as closed_through, protocol_now() as now
    from kinds k join assets x on x.id = k.asset_id
    left join ledger_kind_sums() s on s.asset_id = k.asset_id and s.kind = k.kind
    order by 1, 3`,
};
