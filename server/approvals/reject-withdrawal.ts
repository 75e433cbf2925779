import { type Refusal, refuse } from '#domain/refusal.ts';
import type { ApprovalSubject } from '#domain/withdrawal-approval.ts';
import { keepDecision, lockWaiting } from '#server/approvals/decide-approval.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database } from '#server/db/database.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

/** One person's no, which is enough: the request ends as rejected and its hold comes back. */
export async function rejectWithdrawal(
  deps: { db: Database },
  input: { withdrawalId: string; operatorId: string; seen: ApprovalSubject; reason: string },
): Promise<{ kind: 'rejected' } | { kind: 'refused'; refusal: Refusal }> {
  return await deps.db
    .transaction(async (tx): Promise<{ kind: 'rejected' } | { kind: 'refused'; refusal: Refusal }> => {
      const locked = await lockWaiting({ db: tx }, input);
      if (locked.kind === 'refused') return locked;
      const { current } = locked.waiting;
      await keepDecision({ db: tx }, { ...input, waiting: locked.waiting, decision: 'rejected' });
      const { withdrawalId, operatorId, reason } = input;
      const { revision } = current;
      const moved = await recordTransition({ db: tx }, { kind: 'reject', withdrawalId, revision, operatorId, reason });
      if (moved.kind === 'not_moved') throw new RejectedInVain();
      const after = { payloadSha256: current.payloadHash, revision: revision.toString(), reason };
      await appendAudit(
        { db: tx },
        { actorId: operatorId, action: 'withdrawal.reject', subject: withdrawalId, before: null, after },
      );
      return { kind: 'rejected' };
    })
    .catch((error: unknown) => {
      if (error instanceof RejectedInVain) return { kind: 'refused', refusal: refuse('not_now') };
      throw error;
    });
}

/**
 * Takes the decision back with the transaction. The row is locked and as it was seen, so it can only be that an event of it waits, or
 * that our own memory is in question or not yet held against custody's.
 */
class RejectedInVain extends Error {
  override readonly name = 'RejectedInVain';
}
