import type { Setting } from './setting.ts';
import { isShown, type LookUp, type State } from './state.ts';

/** What custody's look-up would say at this moment, as our rules read it. */
export function lookUp(state: State, setting: Setting): LookUp {
  if (isShown(state)) return 'found';
  if (state.refusalRecorded) return 'refusal_recorded';
  // The control is the newest transfer custody accepted before this attempt: a custody that forgot has lost it too.
  if (state.memoryShort && setting.rules.control === 'required') return 'control_missing';
  return isAbsenceProved(state, setting) ? 'absent' : 'not_found';
}

/** The look-up began when custody's clock was past the not-after of every attempt by more than its read lag. */
function isAbsenceProved(state: State, { rules, world }: Setting): boolean {
  if (!world.notAfterHonoured) return false;
  const past = rules.absence === 'after_not_after' ? state.windowsPassed : state.windowsSettled;
  return rules.absence === 'any_not_found' || state.attempts.every((attempt) => attempt.window < past);
}
