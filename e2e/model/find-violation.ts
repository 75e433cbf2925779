import { endsWithoutTransfer, hasLiveTransfer, isEnd, isProved, type State } from './state.ts';

/** The promises, in the words a counterexample is headed with. `illegal_move` and `no_way_out` are found by the search. */
export const PROMISES = {
  two_transfers: 'more than one transfer under one reference',
  paid_after_release: 'ended without a transfer, hold released, and yet a transfer exists',
  completed_without: 'completed without exactly one final transfer',
  ledger: 'hold, post and void do not fit the status',
  late: 'late booked twice, or without a case',
  proof_ignored: 'an attempt is written down as accepted, and the row does not show it',
  two_withdrawals: 'one click, two withdrawals: another key was minted while the first was accepted',
  claim_stolen: "a worker deleted another worker's claim",
  event_lost: 'an event was answered 2xx and is nowhere',
  illegal_move: 'the status moved where no evidence leads',
  no_way_out: 'states from which no end can be reached any more',
} as const;

export type BrokenPromise = keyof typeof PROMISES;

/** The first promise this state breaks, if any. */
export function findViolation(state: State): BrokenPromise | undefined {
  if (state.transfersMade > 1) return 'two_transfers';
  const released = endsWithoutTransfer(state.status);
  // Only a custody that contradicts its own final answer excuses this, and then a case must be reachable (see the search).
  if (released && hasLiveTransfer(state) && !state.contradicted) return 'paid_after_release';
  if (state.status === 'completed' && (!hasLiveTransfer(state) || state.inclusion !== 'final'))
    return 'completed_without';
  if (!ledgerFits(state)) return 'ledger';
  if (state.late > 1 || state.late !== (state.caseOpen ? 1 : 0)) return 'late';
  const told = state.attempts.some((attempt) => attempt.outcome === 'accepted');
  if (told && !isProved(state.status) && !isEnd(state.status)) return 'proof_ignored';
  if (state.secondKey && state.status !== 'none' && state.status !== 'refused') return 'two_withdrawals';
  if (state.claimStolen) return 'claim_stolen';
  if (state.eventLost) return 'event_lost';
  return undefined;
}

function ledgerFits(state: State): boolean {
  const held = state.status === 'none' || state.status === 'refused' ? 0 : 1;
  const posted = state.status === 'completed' ? 1 : 0;
  const voided = isEnd(state.status) && state.status !== 'completed' && state.status !== 'refused' ? 1 : 0;
  return state.held === held && state.posted === posted && state.voided === voided;
}
