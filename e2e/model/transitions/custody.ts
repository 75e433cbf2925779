import { attemptOf, describeCopy, epochOf, hasSameBytes, windowOf } from '../copy.ts';
import { change } from '../copy-state.ts';
import type { Setting } from '../setting.ts';
import { type Answer, EVENT, replaceWorker, type State, spend, WORKER_IDS } from '../state.ts';
import type { Emit } from '../step.ts';

/** Custody handles the copies that reach it. What it does with the transfer afterwards is in `transfer.ts`. */
export function custodySteps(state: State, setting: Setting, emit: Emit): void {
  state.network.forEach((copy, at) => {
    if (at > 0 && state.network[at - 1] === copy) return;
    const words = `custody handles ${describeCopy(copy)}`;
    const known = answerFromMemory(state, copy, setting);
    const next = change(state, { network: state.network.toSpliced(at, 1) });
    if (known === 'none') makeTransfer(next, copy, setting);
    const answer = known === 'none' ? 'accepted' : known;
    emit(`${words}: ${known === 'none' ? 'makes the transfer' : answer}`, withAnswer(next, copy, answer));
    if (setting.world.answersMayBeLost)
      emit(`${words}: ${known === 'none' ? 'makes the transfer' : answer}, answer lost`, next);
    refuse(state, copy, at, setting, emit);
    if (state.left.laters > 0) {
      const later = change(state, { network: next.network, left: spend(state.left, 'laters') });
      emit(`custody answers "later" to ${describeCopy(copy)} and makes nothing`, withAnswer(later, copy, 'later'));
    }
  });
}

function answerFromMemory(state: State, copy: number, { rules, world }: Setting): Answer | 'none' {
  if (state.referenceClosed) return 'duplicate';
  const made = state.madeBy;
  if (made >= 0) {
    const sameKey = rules.key === 'per_withdrawal' || attemptOf(made) === attemptOf(copy);
    const sameReference = sameKey && (rules.reference === 'from_key' || epochOf(made) === epochOf(copy));
    if (state.keyKnown && sameKey && sameReference) {
      return hasSameBytes(made, copy) && !world.duplicatesAnsweredByError ? 'accepted' : 'duplicate';
    }
    if (world.permanentReference && state.referenceKnown && sameReference) return 'duplicate';
  }
  if (state.refusalRecorded) return 'refused';
  if (world.notAfterHonoured && windowOf(copy) < state.windowsPassed) return 'duplicate';
  return 'none';
}

function makeTransfer(next: State, copy: number, { world }: Setting): void {
  next.transfersMade += 1;
  next.madeBy = copy;
  next.transfer = 'accepted';
  next.keyKnown = true;
  next.referenceKnown = true;
  next.visible = !world.readLag;
  if (world.webhooks) next.eventsAtSender = EVENT.accepted;
}

/** A business refusal: funds, address, amount. Kept under the reference only where custody keeps refusals. */
function refuse(state: State, copy: number, at: number, setting: Setting, emit: Emit): void {
  if (state.left.refusals === 0) return;
  const fresh = answerFromMemory(state, copy, setting) === 'none';
  if (!fresh && !setting.world.validatesFirst) return;
  const next = change(state, { network: state.network.toSpliced(at, 1), left: spend(state.left, 'refusals') });
  if (fresh && setting.world.refusalsKept) next.refusalRecorded = true;
  emit(`custody refuses ${describeCopy(copy)}`, withAnswer(next, copy, 'refused'));
}

/** The answer reaches the worker that still waits for this very attempt, if there is one. */
function withAnswer(state: State, copy: number, answer: Answer): State {
  for (const id of WORKER_IDS) {
    const worker = state.workers[id];
    if (worker.step !== 'waits' || worker.attempt !== attemptOf(copy) || worker.epoch !== epochOf(copy)) continue;
    return change(state, { workers: replaceWorker(state.workers, id, { ...worker, step: 'has_answer', answer }) });
  }
  return state;
}
