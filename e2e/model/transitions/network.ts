import { describeCopy } from '../copy.ts';
import { change } from '../copy-state.ts';
import type { Setting } from '../setting.ts';
import { type State, spend } from '../state.ts';
import type { Emit } from '../step.ts';

/** Copies wait as long as they like; they may be lost, and a proxy may repeat them. */
export function networkSteps(state: State, _setting: Setting, emit: Emit): void {
  state.network.forEach((copy, at) => {
    if (at > 0 && state.network[at - 1] === copy) return; // Equal copies lead to equal states.
    emit(
      `the network loses a copy of ${describeCopy(copy)}`,
      change(state, { network: state.network.toSpliced(at, 1) }),
    );
    if (state.left.repeats === 0) return;
    const network = state.network.toSpliced(at, 0, copy);
    emit(`a proxy repeats ${describeCopy(copy)}`, change(state, { network, left: spend(state.left, 'repeats') }));
  });
}
