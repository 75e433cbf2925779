import { emailDomainOf } from '#domain/email-domain.ts';
import { formatAmount } from '#domain/money.ts';
import { isTerminal, isUuidText, WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db, Statement } from '#server/db/database.ts';
import {
  findFailedSinceSql,
  findNewestOfStatusesSql,
  findNewestWithdrawalsSql,
  findWorstWithdrawalsSql,
  LIST_ROWS,
  searchWithdrawalsSql,
} from '#server/sql/find-all-withdrawals.sql.ts';
import type { AssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import { ageLimitSeconds } from '#server/withdrawals/status-age-limit.ts';
import { toWithdrawal, type WithdrawalRow } from '#server/withdrawals/withdrawal-row.ts';
import { findTerms, waitReasonOf } from '#server/withdrawals/withdrawal-view.ts';

export interface OperatorListItem {
  withdrawalId: string;
  status: WithdrawalStatus;
  asset: string;
  network: string;
  amount: string;
  customerEmail: string;
  /** Since it came into its status. */
  ageSeconds: number;
  ageLimitSeconds: number | null;
  overdue: boolean;
  parkedReason: string | null;
  waitReason: string | null;
  attempts: number;
  requestedAt: string;
  transactionHash: string | null;
}

export interface WithdrawalQuestion {
  readonly cursor: string | null;
  /** Up to a page of 100, or a thousand for a file. */
  readonly limit: number;
  readonly statuses: readonly WithdrawalStatus[] | null;
  /** Whatever names a withdrawal, exactly, or how a customer's e-mail begins, or its domain. What it finds comes newest first. */
  readonly search: string | null;
  /** Worst first shows what is open, unless something else is asked for. */
  readonly sort: 'worst_first' | 'newest';
  /** Only what failed since then, the last first, and nothing of the above. */
  readonly failedSince?: Date | null;
  /** Of worst first only what has been in its status for `STUCK_SECONDS` or longer, by the database's clock. */
  readonly stuck?: boolean;
}

/** What is open and has not moved for so long is worth a look, whatever its limit. */
export const STUCK_SECONDS = 600;

/** A page of everybody's withdrawals, by what staff ask for. */
export async function findWithdrawalPage(
  deps: { db: Db },
  input: WithdrawalQuestion & { catalogue: AssetCatalogue },
): Promise<{ items: OperatorListItem[]; nextCursor: string | null }> {
  const [statement, values] = toQuestion(input);
  const rows = await deps.db.query<OperatorRow>(statement, values);
  const page = rows.slice(0, input.limit);
  return {
    items: page.map((row) => toItem(row, input.catalogue)),
    nextCursor: rows.length > input.limit ? (page.at(-1)?.id ?? null) : null,
  };
}

export const OPEN_STATUSES = WITHDRAWAL_STATUSES.filter((status) => !isTerminal(status));

function toQuestion(input: WithdrawalQuestion): [Statement, readonly unknown[]] {
  const { cursor } = input;
  const { failedSince = null, stuck = false } = input;
  const size = input.limit < LIST_ROWS.page ? 'page' : 'file';
  if (failedSince !== null) return [findFailedSinceSql(size), [cursor, failedSince.toISOString()]];
  const typed = input.search?.trim() || null;
  const statuses = input.statuses === null || input.statuses.length === 0 ? null : input.statuses;
  if (typed !== null) {
    const lower = typed.toLowerCase();
    const values = [cursor, statuses, lower, typed, isUuidText(lower) ? lower : null, emailDomainOf(lower)];
    return [searchWithdrawalsSql(size), values];
  }
  const open = statuses ?? OPEN_STATUSES;
  if (input.sort === 'worst_first' && open.every((status) => !isTerminal(status))) {
    return [findWorstWithdrawalsSql(size), [cursor, open, stuck ? STUCK_SECONDS : null]];
  }
  return statuses === null
    ? [findNewestWithdrawalsSql(size), [cursor]]
    : [findNewestOfStatusesSql(size), [cursor, statuses]];
}

type OperatorRow = WithdrawalRow & { readonly now: Date; readonly customer_email: string; readonly attempts: number };

function toItem(row: OperatorRow, catalogue: AssetCatalogue): OperatorListItem {
  const withdrawal = toWithdrawal(row);
  const ageSeconds = Math.max(0, Math.floor((row.now.getTime() - withdrawal.statusSince.getTime()) / 1000));
  const limit = ageLimitSeconds({ status: withdrawal.status, parked: withdrawal.parkedAt !== null });
  return {
    withdrawalId: withdrawal.withdrawalId,
    status: withdrawal.status,
    asset: withdrawal.assetId,
    network: withdrawal.networkId,
    amount: formatAmount(withdrawal.amountMinor, findTerms(withdrawal, catalogue).decimals),
    customerEmail: row.customer_email,
    ageSeconds,
    ageLimitSeconds: limit,
    overdue: limit !== null && ageSeconds > limit,
    parkedReason: withdrawal.parkedReason,
    waitReason: waitReasonOf({ withdrawal, now: row.now }),
    attempts: row.attempts,
    requestedAt: withdrawal.requestedAt.toISOString(),
    transactionHash: withdrawal.transactionHash,
  };
}
