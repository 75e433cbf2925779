import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RefusalView } from '../../../_trpc/read-api-error.ts';
import { type IntentEvent, type IntentState, nextIntentState, nextLookUpDelayMs, stepUpNote } from './intent-state.ts';

const refusal: RefusalView = {
  code: 'any',
  message: 'No.',
  detail: null,
  fields: [],
  withdrawalId: null,
  reference: null,
};
const ready: IntentState = { kind: 'ready', note: null };
const unknown: IntentState = { kind: 'unknown', checking: false, lookUps: 1, note: null };

function after(state: IntentState, ...events: IntentEvent[]): IntentState {
  return events.reduce(nextIntentState, state);
}

test('a press that is answered with a withdrawal is accepted', () => {
  const accepted: IntentEvent = { type: 'accepted', withdrawalId: 'w', replayed: false };
  expect(after(ready, { type: 'pressed' }, accepted)).toEqual({ kind: 'accepted', withdrawalId: 'w', replayed: false });
});

test('a send that nobody answered is unknown and never refused', () => {
  expect(after(ready, { type: 'pressed' }, { type: 'unanswered' }).kind).toBe('unknown');
});

test.each(['withheld', 'not_kept'] as const)(
  'a refusal that is %s leaves the doubt while one send is unanswered',
  (effect) => {
    const event: IntentEvent = { type: 'refused', refusal, effect, unansweredSends: 1 };
    expect(after(unknown, { type: 'pressed' }, event)).toEqual({ ...unknown, note: refusal });
  },
);

test('a refusal stored under the key ends it, whatever else is on its way', () => {
  const event: IntentEvent = { type: 'refused', refusal, effect: 'kept', unansweredSends: 2 };
  expect(after(unknown, event)).toEqual({ kind: 'refused', refusal });
});

test('a refusal that is not stored ends the key once every send is answered', () => {
  const event: IntentEvent = { type: 'refused', refusal, effect: 'not_kept', unansweredSends: 0 };
  expect(after(ready, { type: 'pressed' }, event)).toEqual({ kind: 'refused', refusal });
});

test('sign-in, rate and step-up keep the key and offer the same button again', () => {
  const event: IntentEvent = { type: 'refused', refusal, effect: 'withheld', unansweredSends: 0 };
  expect(after(ready, { type: 'pressed' }, event)).toEqual({ kind: 'ready', note: refusal });
});

test('no withdrawal under the key is not an answer', () => {
  const nothing: IntentEvent = { type: 'look_up_ended', refusal: null };
  expect(after(unknown, nothing, nothing)).toEqual({ ...unknown, lookUps: 3 });
});

test('going offline does not turn an unknown outcome into not reached', () => {
  expect(after(unknown, { type: 'pressed' }, { type: 'not_reached', reason: 'offline' }).kind).toBe('unknown');
});

test('an unknown outcome ends only by the server, by giving up or with its draft', () => {
  const event = fc.oneof(
    fc.constant<IntentEvent>({ type: 'pressed' }),
    fc.constant<IntentEvent>({ type: 'resumed' }),
    fc.constantFrom<IntentEvent>(
      { type: 'not_reached', reason: 'offline' },
      { type: 'not_reached', reason: 'storage' },
    ),
    fc.constant<IntentEvent>({ type: 'unanswered' }),
    fc.constant<IntentEvent>({ type: 'look_up_began' }),
    fc.constant<IntentEvent>({ type: 'look_up_ended', refusal: null }),
    fc.record({
      type: fc.constant('refused' as const),
      refusal: fc.constant(refusal),
      effect: fc.constantFrom('withheld' as const, 'not_kept' as const),
      unansweredSends: fc.integer({ min: 1, max: 3 }),
    }),
  );
  fc.assert(fc.property(fc.array(event), (events) => after(unknown, ...events).kind === 'unknown'));
});

test.each([
  { kind: 'accepted', withdrawalId: 'w', replayed: true },
  { kind: 'refused', refusal },
  { kind: 'given_up' },
  { kind: 'gone' },
] satisfies IntentState[])('nothing changes $kind', (state) => {
  expect(after(state, { type: 'pressed' }, { type: 'unanswered' }, { type: 'resumed' })).toEqual(state);
});

test('after a reload the key is looked up at once', () => {
  const resumed = after(ready, { type: 'resumed' });
  expect(resumed).toMatchObject({ kind: 'unknown', lookUps: 0 });
  expect(nextLookUpDelayMs(0)).toBe(0);
});

test('look-ups then come after 2 s and at doubling distances up to 30 s', () => {
  expect([1, 2, 3, 4, 5, 500].map(nextLookUpDelayMs)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('a code that was refused stays refused when a look-up finds nothing: to send once more takes a new one', () => {
  const wrong: RefusalView = { ...refusal, code: 'step_up_wrong' };
  const refused: IntentEvent = { type: 'refused', refusal: wrong, effect: 'withheld', unansweredSends: 1 };
  const nothing: IntentEvent = { type: 'look_up_ended', refusal: null };
  const asked = after(unknown, refused, { type: 'look_up_began' }, nothing);
  expect(stepUpNote(asked)).toEqual(wrong);
  expect(stepUpNote(after(asked, { type: 'unanswered' }))).toBeNull();
});
