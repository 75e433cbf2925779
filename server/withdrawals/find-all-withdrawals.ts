import { formatAmount } from '#domain/money.ts';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db } from '#server/db/database.ts';
import {
  countWithdrawalsSql,
  findNewestWithdrawalsSql,
  findWorstWithdrawalsSql,
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

/** A page of everybody's withdrawals for staff, and how many there are in each status. */
export async function findAllWithdrawals(
  deps: { db: Db },
  input: {
    cursor: string | null;
    limit: number;
    statuses: readonly WithdrawalStatus[] | null;
    search: string | null;
    sort: 'worst_first' | 'newest';
    catalogue: AssetCatalogue;
  },
): Promise<{ items: OperatorListItem[]; nextCursor: string | null; counts: Record<WithdrawalStatus, number> }> {
  const statement = input.sort === 'newest' ? findNewestWithdrawalsSql : findWorstWithdrawalsSql;
  const search = input.search?.trim().toLowerCase() || null;
  const statuses = input.statuses === null || input.statuses.length === 0 ? null : input.statuses;
  const [rows, counted] = await Promise.all([
    deps.db.query<OperatorRow>(statement, [input.cursor, statuses, search, input.limit + 1]),
    deps.db.query<{ status: string; count: number }>(countWithdrawalsSql, []),
  ]);
  const page = rows.slice(0, input.limit);
  return {
    items: page.map((row) => toItem(row, input.catalogue)),
    nextCursor: rows.length > input.limit ? (page.at(-1)?.id ?? null) : null,
    counts: countsOf(counted),
  };
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
