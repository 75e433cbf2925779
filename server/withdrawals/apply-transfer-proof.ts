import { type CustodySite, canHaveMade } from '#domain/custody-evidence.ts';
import { isTerminal, type WithdrawalStatus } from '#domain/withdrawal.ts';
import { pathTo } from '#domain/withdrawal-transitions.ts';
import type { Db } from '#server/db/database.ts';
import { type LockedWithdrawal, lockWithdrawal } from '#server/withdrawals/lock-withdrawal.ts';
import { openContradiction } from '#server/withdrawals/open-contradiction.ts';
import { type Evidence, recordTransition } from '#server/withdrawals/record-transition.ts';

export interface TransferProof {
  readonly withdrawalId: string;
  readonly transferId: string;
  /** By custody's clock; null where this proof does not tell. */
  readonly createdAtMs: number | null;
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
    // The row does not move; the attempt keeps its answer. An event has no attempt, and nothing to keep.
    if (proof.attempt !== null) await recordTransition(deps, accepted);
    if (row.transferId !== proof.transferId) return contradict(deps, row, proof, 'two_transfers');
    await openWhereDenied(deps, row, proof);
    return { kind: 'same', status: row.status };
  }
  if (isTerminal(row.status)) {
    await recordTransition(deps, accepted);
    return contradict(deps, row, proof, 'transfer_after_end');
  }
  const denied = await openWhereDenied(deps, row, proof);
  let from = row.status;
  for (const next of pathTo(row.status, 'submitted') ?? []) {
    const step =
      next === 'submitted'
        ? ({ ...accepted, fromStatus: from } as const)
        : { ...proof, kind: 'doubt' as const, fromStatus: from, ...denied };
    await recordTransition(deps, step);
    from = next;
  }
  return { kind: 'advanced', status: from };
}

/**
 * A look-up once proved that a send made nothing, and here is what it made: custody contradicts itself. The row follows its
 * transfer all the same; that customer's further payouts stop until two people have looked, and nobody else's.
 */
async function openWhereDenied(
  deps: { db: Db },
  row: LockedWithdrawal,
  proof: TransferProof,
): Promise<{ reason: 'absence_contradicted'; evidence: Evidence } | null> {
  const denied = row.absentSends.filter((send) => canHaveMade(send, proof, { notAfterHonoured: true }));
  if (denied.length === 0) return null;
  const evidence = { ...proof.evidence, transferId: proof.transferId, status: row.status, denied };
  const { withdrawalId, customerId, expected } = row;
  const withdrawal = { withdrawalId, customerId, asset: expected.asset };
  await openContradiction(deps, { kind: 'absence_contradicted', about: proof.transferId, withdrawal, evidence });
  return { reason: 'absence_contradicted', evidence };
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
