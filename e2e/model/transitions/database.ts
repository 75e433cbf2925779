import { change } from '../copy-state.ts';
import type { Setting } from '../setting.ts';
import { IDLE, isProved, isShown, type State, spend } from '../state.ts';
import type { Emit } from '../step.ts';

/** Our own database falls back to just after acceptance, and how that is found out. */
export function databaseSteps(state: State, setting: Setting, emit: Emit): void {
  if (state.left.databaseRestores > 0 && state.status !== 'none' && state.attempts.length > 0) {
    emit('OUR database is restored to just after acceptance: the attempts are gone', restore(state, setting));
  }
  if (state.mode === 'unproved') walk(state, setting, emit);
}

function restore(state: State, { rules, world }: Setting): State {
  const next: State = change(state, {
    status: world.approval ? 'awaiting_approval' : 'queued',
    review: 'no',
    attempts: [],
    caseOpen: false,
    customerStopped: false,
    held: 1,
    posted: 0,
    voided: 0,
    late: 0,
    epoch: state.epoch + 1,
    jobs: 1,
    eventsInInbox: 0,
    left: spend(state.left, 'databaseRestores'),
  });
  next.workers = rules.restoreStopsWorkers ? [IDLE, IDLE] : state.workers;
  if (rules.restart === 'no_walk') return next;
  next.mode = 'unproved';
  return world.restoreIsKnown ? enterLookUpOnly(next) : next;
}

/** Custody's list of the last hours is walked before anything may be claimed, cancelled or voided. */
function walk(state: State, { rules }: Setting, emit: Emit): void {
  if (isProved(state.status)) {
    emit('the walk finds nothing unknown: evidence was quicker', change(state, { mode: 'normal' }));
    return;
  }
  if (isShown(state)) {
    emit('the walk finds a reference we know only as not sent: look-up only', enterLookUpOnly(state));
    return;
  }
  // The quiet period: by then no request of before the restart is under way, and nothing it made is still unseen.
  const quiet = state.network.length === 0 && state.visible;
  if (quiet || rules.restart === 'walk_at_once')
    emit('the walk finds nothing unknown', change(state, { mode: 'normal' }));
}

/** Every row that says "not sent" is given an attempt of unknown outcome, as late as any before the restore can have been. */
function enterLookUpOnly(state: State): State {
  return change(state, {
    mode: 'look_up_only',
    status: 'in_doubt',
    attempts: [{ outcome: 'lost', window: state.windowNewest }],
  });
}
