import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db } from '#server/db/database.ts';
import type { SeenWithdrawal } from '#server/withdrawals/answer-known-key.ts';
import { findWithdrawal } from '#server/withdrawals/find-withdrawals.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

/**
 * Takes a withdrawal back while it is proved that nothing of it was sent. Asking again is safe: what is cancelled is
 * cancelled. Too late is an answer, and changes nothing; so is not now: while it is being found out what was sent.
 */
export async function cancelWithdrawal(
  deps: { db: Db },
  input: { withdrawalId: string; customerId: string },
): Promise<({ kind: 'cancelled' | 'too_late' | 'not_now' } & SeenWithdrawal) | { kind: 'absent' }> {
  await recordTransition(deps, { kind: 'cancel', ...input, operator: null });
  // Whether this call moved it or another did, what the row says now is the answer.
  const found = await findWithdrawal(deps, input);
  if (found.kind !== 'found') return { kind: 'absent' };
  const { withdrawal, now } = found;
  return { kind: CANCELLED_AS[withdrawal.status] ?? 'too_late', withdrawal, now };
}

const CANCELLED_AS: Partial<Record<WithdrawalStatus, 'cancelled' | 'not_now'>> = {
  cancelled: 'cancelled',
  // Nothing was sent by what we hold, and what we hold is in question, or an event waits that says otherwise.
  queued: 'not_now',
  awaiting_approval: 'not_now',
};
