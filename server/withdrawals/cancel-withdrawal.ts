import type { Db } from '#server/db/database.ts';
import type { SeenWithdrawal } from '#server/withdrawals/answer-known-key.ts';
import { findWithdrawal } from '#server/withdrawals/find-withdrawals.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

/**
 * Takes a withdrawal back while it is proved that nothing of it was sent. Asking again is safe: what is cancelled is
 * cancelled. Too late is an answer, and changes nothing.
 */
export async function cancelWithdrawal(
  deps: { db: Db },
  input: { withdrawalId: string; customerId: string },
): Promise<({ kind: 'cancelled' | 'too_late' } & SeenWithdrawal) | { kind: 'absent' }> {
  await recordTransition(deps, { kind: 'cancel', ...input });
  // Whether this call moved it or another did, what the row says now is the answer.
  const found = await findWithdrawal(deps, input);
  if (found.kind !== 'found') return { kind: 'absent' };
  const { withdrawal, now } = found;
  return { kind: withdrawal.status === 'cancelled' ? 'cancelled' : 'too_late', withdrawal, now };
}
