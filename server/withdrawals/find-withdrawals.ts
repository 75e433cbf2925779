import { type IdempotencyKey, isUuidText, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db } from '#server/db/database.ts';
import { findWithdrawalByKeySql } from '#server/sql/find-withdrawal-by-key.sql.ts';
import { findWithdrawalSql, findWithdrawalsSql, type HistoryCondition } from '#server/sql/find-withdrawals.sql.ts';
import type { SeenWithdrawal } from '#server/withdrawals/answer-known-key.ts';
import { isGivenUp, toWithdrawal, type WithdrawalRow } from '#server/withdrawals/withdrawal-row.ts';

type SeenRow = WithdrawalRow & { readonly now: Date };

export type FoundWithdrawal =
  | ({ readonly kind: 'found' } & SeenWithdrawal)
  | { readonly kind: 'given_up'; readonly withdrawalId: string }
  /** Not there, or not theirs: nobody is told which. */
  | { readonly kind: 'absent' };

/** One withdrawal by id. @param input.customerId its owner; null for staff, who may see all */
export async function findWithdrawal(
  deps: { db: Db },
  input: { withdrawalId: string; customerId: string | null },
): Promise<FoundWithdrawal> {
  const [row] = await deps.db.query<SeenRow>(findWithdrawalSql, [input.withdrawalId, input.customerId]);
  return toFound(row);
}

/** One withdrawal by the key of its request. Absent is no proof: the request may still be on its way. */
export async function findWithdrawalByKey(
  deps: { db: Db },
  input: { idempotencyKey: IdempotencyKey; customerId: string },
): Promise<FoundWithdrawal> {
  const [row] = await deps.db.query<SeenRow>(findWithdrawalByKeySql, [input.idempotencyKey]);
  return toFound(row?.customer_id === input.customerId ? row : undefined);
}

/** Which of a customer's withdrawals; null is no matter. */
export interface HistoryFilter {
  readonly statuses: readonly WithdrawalStatus[] | null;
  readonly asset: string | null;
  readonly network: string | null;
  /** Requested at or after. */
  readonly from: Date | null;
  /** Requested before. */
  readonly until: Date | null;
  /** An address, transaction hash, id or key, whole. */
  readonly search: string | null;
}

/** A page of a customer's withdrawals, newest first. @returns the cursor of the next page, null at the end */
export async function findWithdrawals(
  deps: { db: Db },
  input: {
    customerId: string;
    cursor: string | null;
    limit: number;
  } & HistoryFilter,
): Promise<{ items: readonly SeenWithdrawal[]; nextCursor: string | null }> {
  const { customerId, cursor, limit, search, ...filter } = input;
  const asked = CONDITIONS.filter((name) => filter[name] !== null);
  const named = search === null ? [] : toNamed(search);
  const values = [customerId, cursor, limit + 1, ...named, ...asked.map((name) => filter[name])];
  const statement = findWithdrawalsSql(asked, { searched: search !== null });
  const rows = await deps.db.query<SeenRow>(statement, values);
  const page = rows.slice(0, input.limit);
  return {
    items: page.map((row) => ({ withdrawal: toWithdrawal(row), now: row.now })),
    nextCursor: rows.length > input.limit ? (page.at(-1)?.id ?? null) : null,
  };
}

const CONDITIONS: readonly HistoryCondition[] = ['statuses', 'asset', 'network', 'from', 'until'];

function toNamed(search: string): readonly (string | null)[] {
  const lower = search.toLowerCase();
  return [lower, search, isUuidText(lower) ? lower : null];
}

function toFound(row: SeenRow | undefined): FoundWithdrawal {
  if (row === undefined) return { kind: 'absent' };
  if (isGivenUp(row)) return { kind: 'given_up', withdrawalId: row.id };
  return { kind: 'found', withdrawal: toWithdrawal(row), now: row.now };
}
