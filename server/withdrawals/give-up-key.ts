import { type Refusal, refuse } from '#domain/refusal.ts';
import type { IdempotencyKey, WithdrawalId } from '#domain/withdrawal.ts';
import type { Db } from '#server/db/database.ts';
import { giveUpKeySql } from '#server/sql/give-up-key.sql.ts';
import type { SeenWithdrawal } from '#server/withdrawals/answer-known-key.ts';
import { isGivenUp, toWithdrawal, type WithdrawalRow } from '#server/withdrawals/withdrawal-row.ts';

/** Two hundred a day: giving up is rare, and a script must not fill the table with it. */
const GIVEN_UP_DAILY_MAX = 200;

/**
 * Closes a key for good, so that a copy of its request which is still on its way can never be accepted; or finds that it
 * was. Only after this may a page mint another key for the same wish.
 */
export async function giveUpKey(
  deps: { db: Db },
  input: { withdrawalId: WithdrawalId; idempotencyKey: IdempotencyKey; customerId: string },
): Promise<
  | { kind: 'given_up' }
  | ({ kind: 'exists' } & SeenWithdrawal)
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'no_customer' }
> {
  const values = [input.withdrawalId, input.idempotencyKey, input.customerId, GIVEN_UP_DAILY_MAX];
  const [row] = await deps.db.query<GivenUpRow>(giveUpKeySql, values);
  if (row === undefined || row.outcome === 'no_customer') return { kind: 'no_customer' };
  if (row.outcome === 'refused_too_often') return { kind: 'refused', refusal: refuse('refused_too_often') };
  if (row.customer_id !== input.customerId) return { kind: 'refused', refusal: refuse('idempotency_key_reused') };
  return isGivenUp(row) ? { kind: 'given_up' } : { kind: 'exists', withdrawal: toWithdrawal(row), now: row.now };
}

interface GivenUpRow extends WithdrawalRow {
  readonly outcome: 'given_up' | 'existing' | 'no_customer' | 'refused_too_often';
  readonly now: Date;
}
