import { attemptOf, epochOf } from './copy.ts';
import type { Setting } from './setting.ts';
import { isProved, type State } from './state.ts';

/** A look-up proved that this attempt made nothing, and the transfer is of its making. */
export function wasDenied(state: State): boolean {
  if (state.madeBy < 0 || epochOf(state.madeBy) !== state.epoch) return false;
  return state.attempts[attemptOf(state.madeBy)]?.outcome === 'absent';
}

/** The row follows a transfer that was proved absent, and nobody was told. */
export function isUnheard(state: State): boolean {
  return isProved(state.status) && wasDenied(state) && !state.customerStopped;
}

/** Opens the case in a state that is being made: two people look, and until then this customer's further payouts wait. */
export function hearDenial(next: State, { rules }: Setting): void {
  if (rules.denied === 'followed_with_case' && wasDenied(next)) next.customerStopped = true;
}
