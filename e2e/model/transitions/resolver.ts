import { applyProof } from '../apply-proof.ts';
import { claimRow } from '../claim-row.ts';
import { copyState } from '../copy-state.ts';
import { hearDenial } from '../denied-transfer.ts';
import { endWithoutTransfer } from '../end-without-transfer.ts';
import { lookUp } from '../look-up.ts';
import { releaseWorker } from '../release-worker.ts';
import type { Setting } from '../setting.ts';
import {
  attemptsCounted,
  type LookUp,
  type Review,
  replaceWorker,
  type State,
  WORKER_IDS,
  type WorkerId,
} from '../state.ts';
import { type Emit, type Step, workerName } from '../step.ts';

/** Out of doubt by evidence only. The look-up and the write of what follows from it are two moments. */
export function resolverSteps(state: State, setting: Setting, emit: Emit): void {
  for (const id of WORKER_IDS) {
    const worker = state.workers[id];
    if (worker.step === 'will_look_up') look(state, id, setting, emit);
    if (worker.step === 'looked_up' && worker.lookUp !== '') {
      const step = decide(state, id, worker.lookUp, setting);
      emit(`${workerName(id)} ${step.words}`, step.next);
    }
  }
}

function look(state: State, id: WorkerId, setting: Setting, emit: Emit): void {
  const seen = lookUp(state, setting);
  const next = copyState(state);
  next.workers = replaceWorker(state.workers, id, { ...state.workers[id], step: 'looked_up', lookUp: seen });
  emit(`${workerName(id)} looks it up: ${seen}`, next);
  const backedOff = copyState(state);
  releaseWorker(backedOff, id, setting.rules);
  emit(`${workerName(id)} gets no answer to its look-up and backs off`, backedOff);
}

function decide(state: State, id: WorkerId, seen: LookUp, setting: Setting): Step {
  const worker = state.workers[id];
  const next = copyState(state);
  releaseWorker(next, id, setting.rules);
  if (seen === 'found') {
    hearDenial(next, setting);
    applyProof(next, 'submitted', setting);
    return { words: 'writes what it found', next };
  }
  const mine = worker.current && worker.epoch === state.epoch && state.status === 'in_doubt' && state.review === 'no';
  if (!mine) return { words: 'has lost its fence, or the row has moved on', next };
  if (state.eventsInInbox !== 0) {
    applyProof(next, 'submitted', setting);
    return { words: 'finds an unapplied event that proves the transfer', next };
  }
  if (state.mode === 'look_up_only') return { words: 'only looks up in this mode and waits', next };
  if (seen === 'refusal_recorded') {
    endWithoutTransfer(next, 'failed');
    return { words: 'writes the refusal custody keeps: failed', next };
  }
  if (seen === 'control_missing') return park(next, 'control_missing');
  if (setting.rules.notFoundMeans === 'failed') {
    endWithoutTransfer(next, 'failed');
    return { words: 'takes "not found" for failed', next };
  }
  const attemptsLeft = attemptsCounted(state.attempts) < setting.world.attemptsMax;
  if (seen === 'not_found') return notFound(next, id, attemptsLeft, setting);
  if (!attemptsLeft) return park(next, 'attempts_spent');
  next.attempts = state.attempts.map((attempt) =>
    attempt.outcome === 'not_sent' ? attempt : { outcome: 'absent', window: attempt.window },
  );
  next.status = 'queued';
  return { words: 'has proof of absence: in doubt → queued', next };
}

function notFound(next: State, id: WorkerId, attemptsLeft: boolean, setting: Setting): Step {
  const { rules, world } = setting;
  const last = next.attempts.at(-1);
  const passed = last !== undefined && last.window < next.windowsPassed;
  // After the not-after nothing is resent: the read lag is waited out, and then absence is proved.
  if (world.notAfterHonoured && passed && rules.resendBytes === 'same')
    return { words: 'waits for the read lag', next };
  if (next.attempts.some((attempt) => attempt.outcome === 'lost')) {
    // The same bytes cannot be sent again: a restore took them.
    if (!world.notAfterHonoured) return park(next, 'bytes_unknown');
    return { words: 'waits for the not-after of the attempt that was lost', next };
  }
  if (!attemptsLeft) return park(next, 'attempts_spent');
  const resent = claimRow(next, id, rules.resendBytes, setting);
  return {
    words: `resends ${rules.resendBytes} bytes: in doubt → dispatching, attempt ${resent.attempts.length}`,
    next: resent,
  };
}

function park(next: State, review: Review): Step {
  next.review = review;
  return { words: `parks the row for people: ${review}`, next };
}
