import { copyState } from './copy-state.ts';
import type { Setting } from './setting.ts';
import { nothingMayHaveBeenSent, type State, takeFence, type WorkerId } from './state.ts';

/** As many not-afters as one withdrawal may use up; keeps the search finite. */
const WINDOWS_MAX = 5;

/**
 * `queued → dispatching`, and `in_doubt → dispatching` by the resend rule: a new fence and the attempt row, in one commit.
 * @param bytes `new` fixes a new not-after where the last one has passed; `same` repeats the stored one
 */
export function claimRow(state: State, id: WorkerId, bytes: 'new' | 'same', { rules, world }: Setting): State {
  const next = copyState(state);
  const last = state.attempts.at(-1);
  let window = bytes === 'same' && last !== undefined ? last.window : state.windowNewest;
  const mustOpen = bytes === 'new' && world.notAfterHonoured && (state.windowsPassed > window || last !== undefined);
  if (mustOpen && state.windowNewest < WINDOWS_MAX) {
    window = state.windowNewest + 1;
    next.windowNewest = window;
  }
  next.workers = takeFence(state.workers, id, {
    step: 'will_send',
    current: true,
    epoch: state.epoch,
    attempt: state.attempts.length,
    window,
    sole: nothingMayHaveBeenSent(state.attempts),
    answer: '',
    lookUp: '',
  });
  if (rules.intent === 'after_send') return next;
  next.status = 'dispatching';
  next.attempts = [...state.attempts, { outcome: 'in_doubt', window }];
  return next;
}
