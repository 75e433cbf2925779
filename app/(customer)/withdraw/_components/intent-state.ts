import type { RefusalView } from '../../../_trpc/read-api-error.ts';
import type { RefusalEffect } from './refusal-effect.ts';

/** Where one reviewed request stands, as the page knows it. */
export type IntentState =
  | { kind: 'ready'; note: RefusalView | null }
  | { kind: 'sending' }
  | { kind: 'accepted'; withdrawalId: string; replayed: boolean }
  | { kind: 'refused'; refusal: RefusalView }
  | { kind: 'not_reached'; reason: 'offline' | 'storage' }
  /** The outcome is not known. `note` is what an answered retry complained about; it never ends the doubt. */
  | { kind: 'unknown'; checking: boolean; lookUps: number; note: RefusalView | null }
  | { kind: 'given_up' }
  /** The draft is gone, or another person is signed in: nothing may be sent from here. */
  | { kind: 'gone' };

export type IntentEvent =
  | { type: 'pressed' }
  | { type: 'resumed' }
  | { type: 'not_reached'; reason: 'offline' | 'storage' }
  | { type: 'accepted'; withdrawalId: string; replayed: boolean }
  | { type: 'refused'; refusal: RefusalView; effect: Exclude<RefusalEffect, 'unknown'>; unansweredSends: number }
  | { type: 'unanswered' }
  | { type: 'look_up_began' }
  | { type: 'look_up_ended'; refusal: RefusalView | null }
  | { type: 'given_up' }
  | { type: 'gone' };

/**
 * The next state. Accepted, refused and given up are ends: whatever comes later, in whatever order, changes nothing.
 * Unknown ends only by what the server said about this very key.
 */
export function nextIntentState(state: IntentState, event: IntentEvent): IntentState {
  if (isSettled(state)) return state;
  switch (event.type) {
    case 'pressed':
      return state.kind === 'unknown' ? { ...state, checking: true } : { kind: 'sending' };
    case 'resumed':
      if (state.kind !== 'ready' && state.kind !== 'not_reached') return state;
      return { kind: 'unknown', checking: false, lookUps: 0, note: null };
    case 'not_reached':
      return state.kind === 'unknown' ? { ...state, checking: false } : { kind: 'not_reached', reason: event.reason };
    case 'accepted':
      return { kind: 'accepted', withdrawalId: event.withdrawalId, replayed: event.replayed };
    case 'refused':
      return afterRefusal(state, event);
    case 'unanswered':
      return { kind: 'unknown', checking: false, lookUps: lookUpsOf(state), note: null };
    case 'look_up_began':
      return state.kind === 'unknown' ? { ...state, checking: true } : state;
    case 'look_up_ended':
      if (state.kind !== 'unknown') return state;
      // A look-up that found nothing takes no refusal of a code back: to send once more still takes a new one.
      return { kind: 'unknown', checking: false, lookUps: state.lookUps + 1, note: event.refusal ?? stepUpNote(state) };
    case 'given_up':
      return { kind: 'given_up' };
    case 'gone':
      return { kind: 'gone' };
  }
}

/**
 * How long until the page asks about the key by itself: at once after a reload, then after 2 s, doubling to 30 s, so
 * that an outage is not hammered.
 */
export function nextLookUpDelayMs(lookUps: number): number {
  if (lookUps === 0) return 0;
  return Math.min(1_000 * 2 ** Math.min(lookUps, 10), 30_000);
}

/** What is to be confirmed anew before the request may be sent once more; null where nothing is. */
export function stepUpNote(state: IntentState): RefusalView | null {
  const note = state.kind === 'ready' || state.kind === 'unknown' ? state.note : null;
  return note !== null && isStepUpRefusal(note) ? note : null;
}

/** Whether a request was refused for want of a code or signature that holds. */
export function isStepUpRefusal({ code }: RefusalView): boolean {
  return code.startsWith('step_up');
}

/** Whether this state is the last one of its key. */
function isSettled(state: IntentState): boolean {
  return state.kind === 'accepted' || state.kind === 'refused' || state.kind === 'given_up' || state.kind === 'gone';
}

function afterRefusal(state: IntentState, event: Extract<IntentEvent, { type: 'refused' }>): IntentState {
  if (event.effect === 'kept') return { kind: 'refused', refusal: event.refusal };
  // A copy nobody answered may still be accepted, so this refusal settles nothing. (One key, one withdrawal.)
  if (event.unansweredSends > 0) {
    return { kind: 'unknown', checking: false, lookUps: lookUpsOf(state), note: event.refusal };
  }
  if (event.effect === 'withheld') return { kind: 'ready', note: event.refusal };
  return { kind: 'refused', refusal: event.refusal };
}

/** A send just went unanswered: asking at once would meet the same trouble, so the first look-up waits its turn. */
function lookUpsOf(state: IntentState): number {
  return state.kind === 'unknown' ? Math.max(1, state.lookUps) : 1;
}
