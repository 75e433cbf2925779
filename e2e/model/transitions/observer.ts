import { applyProof } from '../apply-proof.ts';
import { copyState } from '../copy-state.ts';
import { hearDenial, isUnheard, wasDenied } from '../denied-transfer.ts';
import { endWithoutTransfer } from '../end-without-transfer.ts';
import type { Setting } from '../setting.ts';
import { endsWithoutTransfer, hasLiveTransfer, isShown, type State } from '../state.ts';
import type { Emit } from '../step.ts';

/** The poller, the indexer and the reconciliation: they read custody and the chain and finish a row without any webhook. */
export function observerSteps(state: State, setting: Setting, emit: Emit): void {
  const readable = isShown(state);
  if (readable && setting.world.settles) poll(state, setting, emit);
  if (setting.world.settles) index(state, setting, emit);
  if (!readable) return;
  reconcile(state, setting, emit);
  followDenied(state, setting, emit);
}

function poll(state: State, setting: Setting, emit: Emit): void {
  if (state.status !== 'submitted' && state.status !== 'broadcast') return;
  const next = copyState(state);
  if (state.status === 'submitted' && state.transfer === 'broadcast') {
    applyProof(next, 'broadcast', setting);
    emit('the poller reads "broadcast"', next);
  }
  const saidFailed = state.transfer === 'dead' || state.transfer === 'stalled';
  // "Failed" counts when custody calls it final and the chain shows every signed transaction dead.
  if (state.transfer === 'dead' || (saidFailed && setting.rules.custodyFailure === 'when_said')) {
    endWithoutTransfer(next, 'failed');
    emit('the poller reads "failed" and releases the hold', next);
  }
}

function index(state: State, setting: Setting, emit: Emit): void {
  const enough =
    state.inclusion === 'final' || (state.inclusion === 'included' && setting.rules.completion === 'first_inclusion');
  if (!enough || state.status === 'completed') return;
  const next = copyState(state);
  applyProof(next, 'completed', setting);
  emit(`the indexer reads the effect in a ${state.inclusion} block`, next);
}

function reconcile(state: State, setting: Setting, emit: Emit): void {
  const next = copyState(state);
  if (hasLiveTransfer(state) && endsWithoutTransfer(state.status) && !state.caseOpen) {
    applyProof(next, 'submitted', setting);
    emit('reconciliation finds a transfer for a row that ended without one: a case, booked late', next);
  }
  if (state.review !== 'no') {
    applyProof(next, 'submitted', setting);
    emit('the parked row is still looked up: found', next);
  }
}

/** Custody shows what its own look-ups denied, to the list's walk or to the poller of a row that learnt of it otherwise. */
function followDenied(state: State, setting: Setting, emit: Emit): void {
  const { denied } = setting.rules;
  if (state.status === 'queued' && wasDenied(state)) {
    const next = copyState(state);
    // From here on we know of it, and nothing that happens to the money is custody's fault alone.
    next.contradicted = false;
    if (denied !== 'left_queued') {
      hearDenial(next, setting);
      applyProof(next, 'submitted', setting);
    }
    emit('reconciliation finds a transfer that was proved absent: queued → in doubt → submitted', next);
  }
  if (isUnheard(state) && denied === 'followed_with_case') {
    const next = copyState(state);
    hearDenial(next, setting);
    emit('the poller reads that an attempt which was proved absent made the transfer: a case', next);
  }
}
