import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db } from '#server/db/database.ts';
import { countWithdrawalsSql } from '#server/sql/find-all-withdrawals.sql.ts';
import type { AssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import {
  findWithdrawalPage,
  type OperatorListItem,
  type WithdrawalQuestion,
} from '#server/withdrawals/find-withdrawal-page.ts';

/** A page of everybody's withdrawals for staff, and how many there are in each status, told up to one more than `COUNTED_MAX`. */
export async function findAllWithdrawals(
  deps: { db: Db },
  input: WithdrawalQuestion & { catalogue: AssetCatalogue },
): Promise<{ items: OperatorListItem[]; nextCursor: string | null; counts: Record<WithdrawalStatus, number> }> {
  const [page, counted] = await Promise.all([
    findWithdrawalPage(deps, input),
    deps.db.query<{ status: string; count: number }>(countWithdrawalsSql, [WITHDRAWAL_STATUSES]),
  ]);
  return { ...page, counts: countsOf(counted) };
}

function countsOf(rows: readonly { status: string; count: number }[]): Record<WithdrawalStatus, number> {
  const found = new Map(rows.map((row) => [row.status, row.count]));
  const zero = { awaiting_approval: 0, queued: 0, dispatching: 0, in_doubt: 0, submitted: 0, broadcast: 0 };
  const counts = { ...zero, completed: 0, failed: 0, cancelled: 0, rejected: 0, refused: 0 };
  for (const status of WITHDRAWAL_STATUSES) counts[status] = found.get(status) ?? 0;
  return counts;
}
