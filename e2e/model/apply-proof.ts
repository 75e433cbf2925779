import type { Setting } from './setting.ts';
import { endsWithoutTransfer, type State, type Status } from './state.ts';

/** What proves the transfer, in the order of how far it has come. */
export type ProofOf = 'submitted' | 'broadcast' | 'completed';

const ORDER: Record<ProofOf, number> = { submitted: 1, broadcast: 2, completed: 3 };

/**
 * Writes proof of a transfer into a state that is being made. Needs no fence: it may come at any time, only raises the
 * status and lifts a review. On a row that ended without a transfer it opens a case and books `late`, once.
 */
export function applyProof(next: State, proof: ProofOf, setting: Setting): void {
  if (endsWithoutTransfer(next.status)) {
    if (proof === 'completed' && setting.rules.postings === 'from_given_rows') next.posted += 1;
    // An old fact about a transfer whose final death we hold is no contrary fact.
    if (next.transfer === 'dead') return;
    if (!next.caseOpen || setting.rules.late === 'at_each_proof') next.late += 1;
    next.caseOpen = true;
    return;
  }
  if (next.status === 'completed') return;
  next.review = 'no';
  const assigned = setting.rules.custodyStatus === 'assigned';
  if (!assigned && ORDER[proof] <= orderOf(next.status)) return;
  next.status = proof;
  if (proof === 'completed') next.posted += 1;
}

function orderOf(status: Status): number {
  return status === 'submitted' || status === 'broadcast' || status === 'completed' ? ORDER[status] : 0;
}
