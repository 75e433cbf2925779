import { formatAmount, fromMinorText, parseShownAmount } from '#domain/money.ts';
import type { CustodyBalance, CustodyPort } from '#server/custody/custody-port.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { type Finding, keepDiscrepancies } from '#server/reconciliation/keep-discrepancies.ts';

interface BookRow {
  readonly asset_id: string;
  readonly decimals: number;
  readonly book_minor: string;
  /** May have left the wallet already. */
  readonly under_way_minor: string;
  /** May be set aside at custody besides. */
  readonly set_aside_minor: string;
  readonly elsewhere_minor: string;
  readonly band_minor: string;
}

// A wallet's figure may be older than the list of its transfers by so much.
const SETTLED_AFTER_MS = 2 * 60_000;

/**
 * Compares what the hot wallets hold with what our books say lies there. What we have not booked yet may have left, and what
 * custody has not ended yet it may have set aside; a lack beyond both and the band is a deficit. One that is found is looked
 * for again at once, so that coins and a booking which fell between the two readings pause nothing.
 *
 * @returns deficits above zero by asset, for the breaker
 */
export async function compareBalances(
  deps: { db: Database; custody: CustodyPort },
  input: { runId: string; balances: readonly CustodyBalance[] },
): Promise<ReadonlyMap<string, bigint>> {
  let differences = await findDifferences(deps, input);
  if (differences.some(({ deficitMinor }) => deficitMinor > 0n)) {
    const again = await deps.custody.balances();
    // A custody that falls silent now has shown its wallet all the same.
    if (again !== null) {
      const before = new Set(differences.filter(isDeficit).map(({ finding }) => finding.subject));
      const second = await findDifferences(deps, { runId: input.runId, balances: again });
      differences = second.filter((one) => !isDeficit(one) || before.has(one.finding.subject));
    }
  }
  await keepDiscrepancies(deps, { runId: input.runId, findings: differences.map(({ finding }) => finding) });
  return new Map(differences.filter(isDeficit).map((one) => [one.finding.subject, one.deficitMinor]));
}

interface Difference {
  readonly finding: Finding;
  /** Zero or less where the difference is a surplus. */
  readonly deficitMinor: bigint;
}

function isDeficit({ deficitMinor }: Difference): boolean {
  return deficitMinor > 0n;
}

async function findDifferences(
  deps: { db: Database },
  input: { runId: string; balances: readonly CustodyBalance[] },
): Promise<readonly Difference[]> {
  const books = await deps.db.query<BookRow>(findBooksSql, [input.runId, SETTLED_AFTER_MS]);
  const differences: Difference[] = [];
  for (const row of books) {
    const walletMinor = sumOf(input.balances, row);
    if (walletMinor === null) continue;
    const bookMinor = fromMinorText(row.book_minor) - fromMinorText(row.elsewhere_minor);
    const inFlightMinor = fromMinorText(row.under_way_minor) + fromMinorText(row.set_aside_minor);
    const deficitMinor = bookMinor - inFlightMinor - fromMinorText(row.band_minor) - walletMinor;
    const surplusMinor = walletMinor - bookMinor;
    if (deficitMinor <= 0n && surplusMinor <= 0n) continue;
    const text = (minor: bigint) => formatAmount(minor, row.decimals);
    const sign = deficitMinor > 0n ? { deficit: text(deficitMinor) } : { surplus: text(surplusMinor) };
    const detail = { ...sign, wallet: text(walletMinor), books: text(bookMinor < 0n ? 0n : bookMinor) };
    const finding: Finding = { books: 'balances', kind: 'differs', subject: row.asset_id, withdrawalId: null, detail };
    differences.push({ finding, deficitMinor });
  }
  return differences;
}

function sumOf(balances: readonly CustodyBalance[], row: BookRow): bigint | null {
  const amounts = balances
    .filter((one) => one.asset === row.asset_id)
    .map((one) => parseShownAmount(one.available, row.decimals));
  if (amounts.length === 0 || amounts.some((amount) => amount.kind !== 'ok')) return null;
  return amounts.reduce((sum, amount) => sum + (amount.kind === 'ok' ? amount.minor : 0n), 0n);
}

// What customers paid in lies on their deposit addresses, and not in the hot wallet.
const findBooksSql: Statement = {
  name: 'find_hot_books',
  text: `
    with sums as materialized (
      -- The house has one account of a kind: whatever the number of customers, a few rows.
      select s.asset_id, s.debits_minor, s.credits_minor from ledger_kind_sums() s where s.kind = 'custody_hot'
    ), set_aside as (
      select w.id from withdrawals w where w.status in ('dispatching', 'in_doubt', 'submitted', 'broadcast')
      union
      -- Open at custody when its list was read, whatever we have booked; other references are no keys of ours.
      select w.id from reconciliation_seen s join withdrawals w
        on w.idempotency_key = case when s.reference ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then s.reference::uuid end
      where s.run_id = $1::bigint and s.open
      union
      -- Sent and ended while this run was under way, or just before it.
      select w.id from withdrawals w where w.transfer_id is not null
        and w.ended_at >= (select r.started_at from reconciliation_runs r where r.id = $1::bigint) - $2::float8 * interval '1 millisecond'
    )
    select a.id as asset_id, a.decimals, a.deficit_band_minor as band_minor,
      coalesce((select s.debits_minor - s.credits_minor from sums s where s.asset_id = a.id), 0)::numeric(78, 0) as book_minor,
      coalesce((select sum(w.amount_minor) from withdrawals w
        where w.asset_id = a.id and w.status in ('dispatching', 'in_doubt', 'submitted', 'broadcast')), 0)::numeric(78, 0) as under_way_minor,
      coalesce((select sum(w.amount_minor) from withdrawals w where w.asset_id = a.id and w.id in (select id from set_aside)), 0)::numeric(78, 0) as set_aside_minor,
      coalesce((select sum(e.amount_minor) from ledger_transfers t join ledger_entries e on e.transfer_id = t.id
        where t.kind = 'deposit' and t.asset_id = a.id and e.debit_account_id = ledger_house_account(a.id, 'custody_hot')), 0)::numeric(78, 0) as elsewhere_minor
    from assets a order by a.id`,
};
