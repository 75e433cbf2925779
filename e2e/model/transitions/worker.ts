import { claimRow } from '../claim-row.ts';
import { packCopy } from '../copy.ts';
import { change, copyState } from '../copy-state.ts';
import { recordAnswer } from '../record-answer.ts';
import { releaseWorker } from '../release-worker.ts';
import type { Setting } from '../setting.ts';
import { IDLE, replaceWorker, type State, spend, takeFence, WORKER_IDS, type WorkerId } from '../state.ts';
import { type Emit, workerName } from '../step.ts';

/** A worker from its job to the written answer; it may be killed at every step, and pause as long as it likes. */
export function workerSteps(state: State, setting: Setting, emit: Emit): void {
  for (const id of WORKER_IDS) {
    const worker = state.workers[id];
    switch (worker.step) {
      case 'idle':
        continue;
      case 'has_job':
        if (setting.world.redisClaim) claimInRedis(state, id, emit);
        else takeRow(state, id, setting, emit);
        break;
      case 'has_claim':
        takeRow(state, id, setting, emit);
        break;
      case 'will_send':
        send(state, id, setting, emit);
        break;
      case 'waits':
        emit(`${workerName(id)} times out`, recordAnswer(state, id, 'timeout', setting));
        break;
      case 'has_answer':
        if (worker.answer !== '') {
          emit(`${workerName(id)} writes "${worker.answer}"`, recordAnswer(state, id, worker.answer, setting));
        }
        break;
      case 'will_look_up':
      case 'looked_up':
        break; // See resolver.ts.
    }
    if (state.left.crashes > 0) {
      const workers = replaceWorker(state.workers, id, IDLE);
      emit(`${workerName(id)} is killed`, change(state, { workers, left: spend(state.left, 'crashes') }));
    }
  }
}

function claimInRedis(state: State, id: WorkerId, emit: Emit): void {
  const next = copyState(state);
  if (state.claimHolder !== -1) {
    next.workers = replaceWorker(state.workers, id, IDLE);
    emit(`${workerName(id)} finds the claim taken and leaves`, next);
    return;
  }
  next.claimHolder = id;
  next.workers = replaceWorker(state.workers, id, { ...state.workers[id], step: 'has_claim' });
  emit(`${workerName(id)} claims in Redis`, next);
}

function takeRow(state: State, id: WorkerId, setting: Setting, emit: Emit): void {
  const name = workerName(id);
  const open = state.status === 'queued' || state.status === 'dispatching' || state.status === 'in_doubt';
  if (!open || state.review !== 'no' || state.mode === 'unproved') {
    const next = copyState(state);
    releaseWorker(next, id, setting.rules);
    emit(`${name} finds nothing it may do`, next);
    return;
  }
  if (state.status !== 'queued') {
    const next: State = change(state, { status: 'in_doubt' });
    next.workers = takeFence(state.workers, id, { ...IDLE, step: 'will_look_up', current: true, epoch: state.epoch });
    emit(`${name} finds the row ${state.status}, takes the fence and will look it up`, next);
    return;
  }
  const before = setting.rules.intent === 'before_send';
  const words = before
    ? 'claims the row: queued → dispatching, attempt'
    : 'reads the row as queued and prepares attempt';
  emit(`${name} ${words} ${state.attempts.length + 1}`, claimRow(state, id, 'new', setting));
}

function send(state: State, id: WorkerId, setting: Setting, emit: Emit): void {
  const worker = state.workers[id];
  const copy = packCopy(worker.epoch, worker.attempt, worker.window);
  const next = change(state, { network: [...state.network, copy].sort(ascending) });
  next.workers = replaceWorker(state.workers, id, { ...worker, step: 'waits' });
  emit(`${workerName(id)} sends attempt ${worker.attempt + 1}`, next);
  if (state.left.connectionsRefused > 0) {
    const spent = change(state, { left: spend(state.left, 'connectionsRefused') });
    const words = `${workerName(id)} is refused a connection for attempt ${worker.attempt + 1} and writes "not_sent"`;
    emit(words, recordAnswer(spent, id, 'not_sent', setting));
  }
}

function ascending(left: number, right: number): number {
  return left - right;
}
