import { formatAmount } from '#domain/money.ts';
import { isTerminal, isUuidText, WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db, Statement } from '#server/db/database.ts';
import {
  countWithdrawalsSql,
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

interface ListQuestion {
  readonly cursor: string | null;
  /** Up to a page of 100, or a spreadsheet of 5,000. */
  readonly limit: number;
  readonly statuses: readonly WithdrawalStatus[] | null;
  /** Whatever names a withdrawal, exactly, or how a customer's e-mail begins. What it finds comes newest first. */
  readonly search: string | null;
  /** Worst first shows what is open, unless something else is asked for. */
  readonly sort: 'worst_first' | 'newest';
}

/** A page of everybody's withdrawals for staff, and how many there are in each status, told up to one more than `COUNTED_MAX`. */
export async function findAllWithdrawals(
  deps: { db: Db },
  input: ListQuestion & { catalogue: AssetCatalogue },
): Promise<{ items: OperatorListItem[]; nextCursor: string | null; counts: Record<WithdrawalStatus, number> }> {
  const [statement, values] = toQuestion(input);
  const [rows, counted] = await Promise.all([
    deps.db.query<OperatorRow>(statement, values),
    deps.db.query<{ status: string; count: number }>(countWithdrawalsSql, [WITHDRAWAL_STATUSES]),
  ]);
  const page = rows.slice(0, input.limit);
  return {
    items: page.map((row) => toItem(row, input.catalogue)),
    nextCursor: rows.length > input.limit ? (page.at(-1)?.id ?? null) : null,
    counts: countsOf(counted),
  };
}

const OPEN_STATUSES = WITHDRAWAL_STATUSES.filter((status) => !isTerminal(status));

function toQuestion(input: ListQuestion): [Statement, readonly unknown[]] {
  const { cursor } = input;
  const size = input.limit < LIST_ROWS.page ? 'page' : 'export';
  const typed = input.search?.trim() || null;
  const statuses = input.statuses === null || input.statuses.length === 0 ? null : input.statuses;
  if (typed !== null) {
    const lower = typed.toLowerCase();
    return [searchWithdrawalsSql(size), [cursor, statuses, lower, typed, isUuidText(lower) ? lower : null]];
  }
  const open = statuses ?? OPEN_STATUSES;
  if (input.sort === 'worst_first' && open.every((status) => !isTerminal(status))) {
    return [findWorstWithdrawalsSql(size), [cursor, open]];
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

function countsOf(rows: readonly { status: string; count: number }[]): Record<WithdrawalStatus, number> {
  const found = new Map(rows.map((row) => [row.status, row.count]));
  const zero = { awaiting_approval: 0, queued: 0, dispatching: 0, in_doubt: 0, submitted: 0, broadcast: 0 };
  const counts = { ...zero, completed: 0, failed: 0, cancelled: 0, rejected: 0, refused: 0 };
  for (const status of WITHDRAWAL_STATUSES) counts[status] = found.get(status) ?? 0;
  return counts;
}
