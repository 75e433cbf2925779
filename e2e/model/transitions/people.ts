import { applyProof } from '../apply-proof.ts';
import { change, copyState } from '../copy-state.ts';
import { endWithoutTransfer } from '../end-without-transfer.ts';
import { lookUp } from '../look-up.ts';
import type { Setting } from '../setting.ts';
import type { State } from '../state.ts';
import type { Emit } from '../step.ts';

/** Operators: approve, reject, and the exits of review. Everything that releases money takes two of them and evidence. */
export function peopleSteps(state: State, setting: Setting, emit: Emit): void {
  if (setting.world.approval) approve(state, emit);
  if (!setting.world.people) return;
  if (state.mode === 'look_up_only') emit('two people end the look-up-only mode', change(state, { mode: 'normal' }));
  if (state.review !== 'no' && state.mode === 'normal') leaveReview(state, setting, emit);
}

/** A rejection is a compare-and-set from what nobody has approved yet. */
function approve(state: State, emit: Emit): void {
  if (state.mode !== 'normal') return;
  if (state.status === 'awaiting_approval') {
    emit('an operator approves', change(state, { status: 'queued', jobs: Math.max(1, state.jobs) }));
  }
  if (state.status !== 'awaiting_approval') return;
  const next = copyState(state);
  endWithoutTransfer(next, 'rejected');
  emit('an operator rejects (compare-and-set)', next);
}

function leaveReview(state: State, setting: Setting, emit: Emit): void {
  const seen = lookUp(state, setting);
  const next = copyState(state);
  endWithoutTransfer(next, 'failed');
  const noEvidence = state.eventsInInbox === 0;
  if (seen === 'refusal_recorded') emit('two people sign on the refusal custody keeps: failed', next);
  if (seen === 'absent' && noEvidence) emit('two people sign on proof of absence: failed', next);
  if (seen === 'not_found' && noEvidence && setting.rules.twoPeople === 'fresh_not_found') {
    emit('two people sign on a fresh "not found": failed', next);
  }
  if (!setting.world.signedStatements) return;
  if (state.transfersMade > 0) {
    const found = copyState(state);
    applyProof(found, 'submitted', setting);
    emit("custody's signed statement names the transfer", found);
  } else
    emit(
      "two people sign on custody's statement that the reference is closed: failed",
      change(next, {
        referenceClosed: true,
      }),
    );
}
