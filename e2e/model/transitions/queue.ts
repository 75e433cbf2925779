import { change } from '../copy-state.ts';
import type { Setting } from '../setting.ts';
import { type State, WORKER_IDS } from '../state.ts';
import { type Emit, workerName } from '../step.ts';

/** Jobs, claims and the sweeper: all of it may vanish at any moment, and none of it carries the guarantee. */
export function queueSteps(state: State, { rules, world }: Setting, emit: Emit): void {
  const open = state.status === 'queued' || state.status === 'dispatching' || state.status === 'in_doubt';
  if (open && state.jobs > 0) {
    for (const id of WORKER_IDS) {
      if (state.workers[id].step !== 'idle') continue;
      const next = change(state, { jobs: state.jobs - 1 });
      const worker = { ...state.workers[id], step: 'has_job' as const, epoch: state.epoch };
      next.workers = id === 0 ? [worker, state.workers[1]] : [state.workers[0], worker];
      emit(`the queue delivers a job to ${workerName(id)}`, next);
    }
  }
  const quiet = state.jobs === 0 && state.workers[0].step === 'idle' && state.workers[1].step === 'idle';
  // BullMQ ignores an add while a job of that id is still kept, so an unnumbered id wakes a withdrawal up only once.
  if (open && quiet && state.review === 'no' && rules.jobId === 'numbered_wake_up') {
    emit('the sweeper finds the row overdue and adds a wake-up', change(state, { jobs: 1 }));
  }
  if (!world.redisClaim) return;
  if (state.claimHolder !== -1) emit('the claim vanishes (expiry or failover)', change(state, { claimHolder: -1 }));
  if (state.jobs > 0) emit('Redis is flushed', change(state, { jobs: 0, claimHolder: -1 }));
}
