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
 * Debits, credits and balance of every kind of account, by asset, as of one moment. It reads the balances of the last closing
 * and the entries after it, so it does not grow with history that is closed.
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
    select a.asset_id, x.decimals, a.kind, sum(coalesce(s.debits_minor, 0))::numeric(78, 0) as debits,
      sum(coalesce(s.credits_minor, 0))::numeric(78, 0) as credits,
      (select max(through_transfer_id) from ledger_closings) as closed_through, protocol_now() as now
    from ledger_accounts a join assets x on x.id = a.asset_id left join ledger_account_sums() s on s.account_id = a.id
    group by 1, 2, 3 order by 1, 3`,
};
