import { applyProof } from './apply-proof.ts';
import { copyState } from './copy-state.ts';
import { endWithoutTransfer } from './end-without-transfer.ts';
import { releaseWorker } from './release-worker.ts';
import type { Setting } from './setting.ts';
import {
  type Answer,
  type Attempt,
  type AttemptOutcome,
  isEnd,
  type State,
  type Worker,
  type WorkerId,
} from './state.ts';

/** The worker writes what it was told: the attempt's outcome always, the status only where its guard matches the row. */
export function recordAnswer(state: State, id: WorkerId, answer: Answer, setting: Setting): State {
  const worker = state.workers[id];
  const next = copyState(state);
  releaseWorker(next, id, setting.rules);
  if (setting.rules.intent === 'after_send' && worker.epoch === state.epoch && state.status === 'queued') {
    next.attempts = [...state.attempts, { outcome: 'in_doubt', window: worker.window }];
    next.status = 'dispatching';
  }
  const outcome = outcomeOf(answer, setting);
  if (worker.epoch === state.epoch) next.attempts = keepOutcome(next.attempts, worker.attempt, outcome);
  const guarded = guardMatches(next, worker, setting);
  if (outcome === 'accepted') {
    if (guarded || setting.rules.proof === 'needs_no_fence') applyProof(next, 'submitted', setting);
    return next;
  }
  if (!guarded || isEnd(next.status)) return next;
  const status = statusAfter(answer, outcome, worker, setting);
  if (status === 'failed') endWithoutTransfer(next, 'failed');
  else next.status = status;
  return next;
}

function statusAfter(
  answer: Answer,
  outcome: AttemptOutcome,
  worker: Worker,
  setting: Setting,
): 'failed' | 'queued' | 'in_doubt' {
  const { rules } = setting;
  if (answer === 'timeout' && rules.timeoutMeans === 'failed') return 'failed';
  if (answer === 'duplicate' && rules.duplicateMeans === 'refused') return 'failed';
  if (outcome === 'refused' && isRefusalFinal(worker, setting)) return 'failed';
  if (outcome === 'not_sent' && (worker.sole || rules.notSentLeadsTo === 'queued')) return 'queued';
  return 'in_doubt';
}

function outcomeOf(answer: Answer, { rules, world }: Setting): AttemptOutcome {
  switch (answer) {
    case 'accepted':
    case 'refused':
    case 'not_sent':
      return answer;
    case 'later':
      // Where a proxy may repeat a request, "later" speaks of one copy only; another may still be carried out.
      return rules.laterMeans === 'nothing_made' || world.contractExcludesRepeats ? 'not_sent' : 'in_doubt';
    case 'timeout':
      return rules.timeoutMeans === 'not_sent' ? 'not_sent' : 'in_doubt';
    case 'duplicate':
      return 'in_doubt';
  }
}

/** Without a record at custody and without a not-after, only the sole attempt under a contract without repeats is final. */
function isRefusalFinal(worker: Worker, { rules, world }: Setting): boolean {
  switch (rules.refusalIsFinal) {
    case 'always':
      return true;
    case 'if_answer_says_kept':
      return world.refusalsKept;
    case 'if_sole':
      return worker.sole;
    case 'by_evidence':
      return (
        worker.sole &&
        world.contractExcludesRepeats &&
        !world.validatesFirst &&
        !world.refusalsKept &&
        !world.notAfterHonoured
      );
  }
}

function guardMatches(state: State, worker: Worker, { rules }: Setting): boolean {
  const fence = worker.current && worker.epoch === state.epoch;
  switch (rules.resultGuard) {
    case 'fence_and_status':
      return fence && state.status === 'dispatching';
    case 'fence_only':
      return fence;
    case 'status_only':
      return state.status === 'dispatching';
  }
}

/** Attempt rows keep the strongest thing known: a doubt never overwrites an outcome, "accepted" overwrites all. */
function keepOutcome(attempts: readonly Attempt[], index: number, outcome: AttemptOutcome): readonly Attempt[] {
  const before = attempts[index];
  if (before === undefined || outcome === 'in_doubt') return attempts;
  if (before.outcome !== 'in_doubt' && outcome !== 'accepted') return attempts;
  return attempts.map((attempt, at) => (at === index ? { outcome, window: attempt.window } : attempt));
}
