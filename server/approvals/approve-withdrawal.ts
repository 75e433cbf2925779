import { type Refusal, refuse } from '#domain/refusal.ts';
import type { ApprovalSubject } from '#domain/withdrawal-approval.ts';
import { keepDecision, lockWaiting } from '#server/approvals/decide-approval.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database } from '#server/db/database.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

export type ApproveAnswer =
  | { readonly kind: 'approved' }
  /** Kept; so many more people must agree. */
  | { readonly kind: 'waiting'; readonly missing: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * One person's yes to exactly the payload and revision they saw. The last one that is needed sends the withdrawal to the
 * queue, in the same transaction. Each is confirmed by a second factor.
 */
export async function approveWithdrawal(
  deps: { db: Database },
  input: { withdrawalId: string; operatorId: string; seen: ApprovalSubject; reason: string; confirm: ConfirmDeed },
): Promise<ApproveAnswer> {
  return await deps.db
    .transaction(async (tx): Promise<ApproveAnswer> => {
      const locked = await lockWaiting({ db: tx }, input);
      if (locked.kind === 'refused') return locked;
      const { waiting } = locked;
      const refusal = await input.confirm(tx, { deed: 'approve', subject: waiting.withdrawalId });
      if (refusal !== null) return { kind: 'refused', refusal };
      await keepDecision({ db: tx }, { ...input, waiting, decision: 'approved' });
      const { withdrawalId, operatorId, reason } = input;
      await appendAudit(
        { db: tx },
        {
          actorId: operatorId,
          action: 'withdrawal.approve',
          subject: withdrawalId,
          before: null,
          after: { payloadSha256: waiting.current.payloadHash, revision: waiting.current.revision.toString(), reason },
        },
      );
      const missing = waiting.approvalsRequired - waiting.approvals - 1;
      if (missing > 0) return { kind: 'waiting', missing };
      const { revision } = waiting.current;
      const moved = await recordTransition({ db: tx }, { kind: 'approve', withdrawalId, revision, operatorId, reason });
      if (moved.kind === 'not_moved') throw new ApprovedInVain();
      return { kind: 'approved' };
    })
    .catch((error: unknown) => {
      if (error instanceof ApprovedInVain) return { kind: 'refused', refusal: refuse('not_now') };
      throw error;
    });
}

/** Takes the approval back with the transaction: while our own memory is in question nothing moves. */
class ApprovedInVain extends Error {
  override readonly name = 'ApprovedInVain';
}
