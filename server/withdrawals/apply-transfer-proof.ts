import type { CustodySite } from '#domain/custody-evidence.ts';
import { isTerminal, type WithdrawalStatus } from '#domain/withdrawal.ts';
import { pathTo } from '#domain/withdrawal-transitions.ts';
import type { Db } from '#server/db/database.ts';
import { type LockedWithdrawal, lockWithdrawal } from '#server/withdrawals/lock-withdrawal.ts';
import { openContradiction } from '#server/withdrawals/open-contradiction.ts';
import { type Evidence, recordTransition } from '#server/withdrawals/record-transition.ts';

export interface TransferProof {
  readonly withdrawalId: string;
  readonly transferId: string;
  /** The attempt that brought it, or null where an event did. */
  readonly attempt: { readonly number: number; readonly outcome: 'accepted' | 'found' } | null;
  readonly site: CustodySite;
  /** Until we look ourselves. */
  readonly pollMs: number;
  readonly actor: string;
  readonly reason: string;
  readonly evidence: Evidence;
}

export type ProofResult =
  | { readonly kind: 'advanced' | 'same'; readonly status: WithdrawalStatus }
  | { readonly kind: 'contradiction'; readonly status: WithdrawalStatus };

/**
 * Applies proof that custody has our transfer, in the caller's transaction and wherever the row stands: no fence, step by
 * legal step. After an end it changes nothing and opens a case. The transfer has been compared with what was asked before.
 */
export async function applyTransferProof(deps: { db: Db }, proof: TransferProof): Promise<ProofResult> {
  const row = await lockWithdrawal(deps, { withdrawalId: proof.withdrawalId });
  if (row === null) throw new Error('proof for a withdrawal that does not exist');
  const accepted = { kind: 'accepted', fromStatus: row.status, ...proof } as const;

  if (row.transferId !== null) {
    // The row does not move; the attempt keeps its answer.
    await recordTransition(deps, accepted);
    if (row.transferId === proof.transferId) return { kind: 'same', status: row.status };
    return contradict(deps, row, proof, 'two_transfers');
  }
  if (isTerminal(row.status)) {
    await recordTransition(deps, accepted);
    return contradict(deps, row, proof, 'transfer_after_end');
  }
  let from = row.status;
  for (const next of pathTo(row.status, 'submitted') ?? []) {
    const step =
      next === 'submitted'
        ? ({ ...accepted, fromStatus: from } as const)
        : { ...proof, kind: 'doubt' as const, fromStatus: from };
    await recordTransition(deps, step);
    from = next;
  }
  return { kind: 'advanced', status: from };
}

async function contradict(
  deps: { db: Db },
  row: LockedWithdrawal,
  proof: TransferProof,
  kind: 'two_transfers' | 'transfer_after_end',
): Promise<ProofResult> {
  const { withdrawalId, customerId, expected, status } = row;
  const evidence = { ...proof.evidence, status, transferId: proof.transferId, knownTransferId: row.transferId };
  await openContradiction(deps, {
    kind,
    about: proof.transferId,
    withdrawal: { withdrawalId, customerId, asset: expected.asset },
    evidence,
  });
  return { kind: 'contradiction', status };
}
