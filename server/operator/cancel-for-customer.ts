import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

/**
 * Takes a queued withdrawal back for its customer, under the very conditions of the customer's own cancel: only while it is proved
 * that nothing of it was sent. What waits for approval is an approver's to end. Pressed again, what is cancelled is cancelled.
 */
export async function cancelForCustomer(
  deps: { db: Database },
  input: { withdrawalId: string; reason: string; actorId: string },
): Promise<{ kind: 'cancelled' | 'already_cancelled' | 'too_late' } | { kind: 'refused'; refusal: Refusal }> {
  const { withdrawalId, reason, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [row] = await tx.query<{ customer_id: string; status: string }>(lockForCancelSql, [withdrawalId]);
    if (row === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    if (row.customer_id === actorId) return { kind: 'refused', refusal: refuse('forbidden') };
    if (row.status === 'cancelled') return { kind: 'already_cancelled' };
    if (row.status !== 'queued') return { kind: 'too_late' };
    const operator = { operatorId: actorId, reason };
    const { customer_id: customerId } = row;
    const moved = await recordTransition({ db: tx }, { kind: 'cancel', withdrawalId, customerId, operator });
    // An event of it waits, or our memory is not yet held against custody's.
    if (moved.kind === 'not_moved') return { kind: 'refused', refusal: refuse('not_now') };
    const change = { before: { status: row.status }, after: { status: 'cancelled', reason } };
    await appendAudit({ db: tx }, { actorId, action: 'withdrawal.cancel', subject: withdrawalId, ...change });
    return { kind: 'cancelled' };
  });
}

const lockForCancelSql: Statement = {
  name: 'lock_for_cancel',
  text: 'select w.customer_id, w.status from withdrawals w where w.id = $1 for update',
};
