import { expect, test } from 'vitest';
import { mayStartWith, quietPeriodMs } from '#domain/custody-capabilities.ts';
import {
  controlAcceptedBeforeMs,
  countsAsTry,
  evidenceOfTransfer,
  mayHaveBeenSent,
  type SendAttempt,
} from '#domain/custody-evidence.ts';
import { attempt, CAPABILITIES, SENT_AT_MS } from '#domain/in-doubt.test-support.ts';

test.each<[SendAttempt['outcome'], boolean]>([
  [null, true],
  ['in_doubt', true],
  ['accepted', true],
  ['refused', true],
  ['not_sent', false],
  ['later', false],
])('an attempt with outcome %s may have been sent: %s', (outcome, expected) => {
  expect(mayHaveBeenSent(attempt({ outcome }))).toBe(expected);
});

test('being put off may have been sent, and is no try of ours', () => {
  const putOff = attempt({ outcome: 'in_doubt', reason: 'put_off' });
  expect(mayHaveBeenSent(putOff)).toBe(true);
  expect(countsAsTry(putOff)).toBe(false);
  expect(countsAsTry(attempt({ outcome: 'in_doubt', reason: 'no_answer' }))).toBe(true);
  expect(countsAsTry(attempt({ outcome: 'refused', reason: 'put_off' }))).toBe(true);
  expect(countsAsTry(attempt({ outcome: null, reason: 'put_off' }))).toBe(true);
  expect(countsAsTry(attempt({ outcome: 'not_sent' }))).toBe(false);
});

test('the control is older than the first attempt that is still open', () => {
  const later = attempt({ number: 2, startedAtMs: SENT_AT_MS + 5 });
  expect(controlAcceptedBeforeMs([later, attempt()])).toBe(SENT_AT_MS);
  expect(controlAcceptedBeforeMs([attempt({ provedAbsent: true }), later])).toBe(SENT_AT_MS + 5);
  expect(controlAcceptedBeforeMs([attempt({ outcome: 'not_sent' }), later])).toBe(SENT_AT_MS + 5);
  expect(controlAcceptedBeforeMs([attempt({ outcome: 'not_sent' })])).toBeNull();
});

test('an accepted answer on an attempt row is evidence like any other', () => {
  const event = { kind: 'webhook_event', detail: 'ev' } as const;
  expect(evidenceOfTransfer([attempt()], [])).toEqual([]);
  expect(evidenceOfTransfer([attempt({ outcome: 'accepted' })], [event])).toEqual([
    event,
    { kind: 'accepted_answer', detail: 'attempt 1' },
  ]);
});

test('the quiet period is the longest life of a request and the lag of a look-up', () => {
  expect(quietPeriodMs(CAPABILITIES)).toBe(25_000);
});

test('EC49: a provider with neither a permanent reference nor a not-after is refused at start, unless accepted by name', () => {
  const neither = { ...CAPABILITIES, referenceKept: false, notAfterHonoured: false };
  expect(mayStartWith(neither, false)).toBe(false);
  expect(mayStartWith(neither, true)).toBe(true);
  expect(mayStartWith({ ...neither, referenceKept: true }, false)).toBe(true);
  expect(mayStartWith({ ...neither, notAfterHonoured: true }, false)).toBe(true);
});
