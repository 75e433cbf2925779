import type { Rules } from './setting.ts';
import { IDLE, replaceWorker, type State, type WorkerId } from './state.ts';

/** The job is over for this worker: it goes idle and gives its claim back, comparing the token before it deletes. */
export function releaseWorker(next: State, id: WorkerId, rules: Rules): void {
  next.workers = replaceWorker(next.workers, id, IDLE);
  if (next.claimHolder === -1) return;
  if (next.claimHolder === id) next.claimHolder = -1;
  else if (rules.claimRelease === 'delete') {
    next.claimHolder = -1;
    next.claimStolen = true;
  }
}
