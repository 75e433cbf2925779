import { formatAmount, fromMinorText, parseShownAmount } from '#domain/money.ts';
import type { CustodyBalance } from '#server/custody/custody-port.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { type Finding, keepDiscrepancies } from '#server/reconciliation/keep-discrepancies.ts';

interface BookRow {
  readonly asset_id: string;
  readonly decimals: number;
  readonly book_minor: string;
  readonly under_way_minor: string;
  readonly elsewhere_minor: string;
  readonly band_minor: string;
}

/**
 * Compares what the hot wallets hold with what our books say lies there. What is under way may have left already, and
 * custody may have set it aside besides, so it counts twice in our favour; a lack beyond that and the band is a deficit.
 *
 * @returns deficits above zero by asset that the run before found too, for the breaker: one look may fall between two bookings
 */
export async function compareBalances(
  deps: { db: Database },
  input: { runId: string; balances: readonly CustodyBalance[] },
): Promise<ReadonlyMap<string, bigint>> {
  const books = await deps.db.query<BookRow>(findBooksSql, []);
  const deficits = new Map<string, bigint>();
  const findings: Finding[] = [];
  for (const row of books) {
    const walletMinor = sumOf(input.balances, row);
    if (walletMinor === null) continue;
    const bookMinor = fromMinorText(row.book_minor) - fromMinorText(row.elsewhere_minor);
    const leastMinor = bookMinor - 2n * fromMinorText(row.under_way_minor) - fromMinorText(row.band_minor);
    const deficitMinor = leastMinor - walletMinor;
    const surplusMinor = walletMinor - bookMinor;
    if (deficitMinor <= 0n && surplusMinor <= 0n) continue;
    if (deficitMinor > 0n) deficits.set(row.asset_id, deficitMinor);
    const text = (minor: bigint) => formatAmount(minor, row.decimals);
    const sign = deficitMinor > 0n ? { deficit: text(deficitMinor) } : { surplus: text(surplusMinor) };
    const detail = { ...sign, wallet: text(walletMinor), books: text(bookMinor < 0n ? 0n : bookMinor) };
    findings.push({ books: 'balances', kind: 'differs', subject: row.asset_id, withdrawalId: null, detail });
  }
  const before = await deps.db.query<{ subject: string }>(findStandingDeficitsSql, [input.runId]);
  await keepDiscrepancies(deps, { runId: input.runId, findings });
  const standing = new Set(before.map((row) => row.subject));
  return new Map([...deficits].filter(([assetId]) => standing.has(assetId)));
}

function sumOf(balances: readonly CustodyBalance[], row: BookRow): bigint | null {
  const amounts = balances
    .filter((one) => one.asset === row.asset_id)
    .map((one) => parseShownAmount(one.available, row.decimals));
  if (amounts.length === 0 || amounts.some((amount) => amount.kind !== 'ok')) return null;
  return amounts.reduce((sum, amount) => sum + (amount.kind === 'ok' ? amount.minor : 0n), 0n);
}

const findStandingDeficitsSql: Statement = {
  name: 'find_standing_deficits',
  text: `
    select d.subject from reconciliation_discrepancies d
    where d.books = 'balances' and d.closed_at is null and d.detail ? 'deficit'
      and d.last_run_id = (select max(r.id) from reconciliation_runs r where r.id < $1::bigint and r.outcome <> 'failed')`,
};

// What customers paid in lies on their deposit addresses, and not in the hot wallet.
const findBooksSql: Statement = {
  name: 'find_hot_books',
  text: `
    select a.id as asset_id, a.decimals, a.deficit_band_minor as band_minor,
      coalesce((select s.debits_minor - s.credits_minor from ledger_account_sums() s where s.account_id = ledger_house_account(a.id, 'custody_hot')), 0)::numeric(78, 0) as book_minor,
      coalesce((select sum(w.amount_minor) from withdrawals w
        where w.asset_id = a.id and w.status in ('dispatching', 'in_doubt', 'submitted', 'broadcast')), 0)::numeric(78, 0) as under_way_minor,
      coalesce((select sum(e.amount_minor) from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
        where t.kind = 'deposit' and t.asset_id = a.id and e.debit_account_id = ledger_house_account(a.id, 'custody_hot')), 0)::numeric(78, 0) as elsewhere_minor
    from assets a order by a.id`,
};
