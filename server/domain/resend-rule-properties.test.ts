import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quietPeriodMs } from '#domain/custody-capabilities.ts';
import { evidenceOfTransfer, type LookUpAnswer } from '#domain/custody-evidence.ts';
import {
  attempt,
  CAPABILITIES,
  evidenceAt,
  FOUND,
  NOT_AFTER_MS,
  notFoundAt,
  SENT_AT_MS,
} from '#domain/in-doubt.test-support.ts';
import { type InDoubtEvidence, type InDoubtStep, nextStepInDoubt } from '#domain/resend-rule.ts';

// Times around every edge of the rule: evenly spread ones would hardly ever meet a control that holds.
const EDGES = [
  SENT_AT_MS - 60_000,
  SENT_AT_MS - 1,
  SENT_AT_MS,
  SENT_AT_MS + 10_000,
  SENT_AT_MS + 25_000,
  SENT_AT_MS + 35_000,
  NOT_AFTER_MS - 1,
  NOT_AFTER_MS,
  NOT_AFTER_MS + 5_000,
  NOT_AFTER_MS + 5_001,
  NOT_AFTER_MS + 90_000,
];
const time = fc.constantFrom(...EDGES);
const mostly = fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const seldom = mostly.map((value) => !value);

const answer: fc.Arbitrary<LookUpAnswer> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'not_found' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'failed', reason: 'status 500' } as const) },
  {
    weight: 3,
    arbitrary: fc
      .subarray([FOUND, { ...FOUND, id: 'tr_2' }, { ...FOUND, status: 'refused' }, { ...FOUND, externalId: 'other' }])
      .map((transfers) => ({ kind: 'found', transfers }) as const),
  },
);

const evidence: fc.Arbitrary<InDoubtEvidence> = fc
  .record({
    atMs: time,
    custodyClockMs: fc.option(time, { freq: 8 }),
    answer,
    control: fc.oneof(
      { weight: 8, arbitrary: fc.constant('found' as const) },
      { weight: 1, arbitrary: fc.constantFrom('none' as const, 'missing' as const) },
    ),
    controlAge: fc.constantFrom(0, 59_999, 60_000, 60_001, -60_001),
    acceptedAtMs: fc.constantFrom(SENT_AT_MS - 60_000, SENT_AT_MS - 1, SENT_AT_MS, NOT_AFTER_MS),
    attempts: fc.array(
      fc.record({
        startedAtMs: fc.constantFrom(SENT_AT_MS, SENT_AT_MS + 10_000),
        outcome: fc.constantFrom(null, null, 'in_doubt', 'in_doubt', 'not_sent', 'later', 'refused', 'accepted'),
        provedAbsent: seldom,
      }),
      { maxLength: 3 },
    ),
    capabilities: fc.record({
      referenceKept: mostly,
      searchableByReference: mostly,
      notAfterHonoured: mostly,
      refusalsKept: mostly,
      duplicateCheckFirst: mostly,
      requestsNeverRepeated: mostly,
    }),
    parked: seldom,
    lookUpOnly: seldom,
    hasEvidence: seldom,
  })
  .map((one) => {
    const site = { provider: 'custody', account: 'main', reference: 'older' };
    const found = {
      ...site,
      kind: 'found',
      acceptedAtMs: one.acceptedAtMs,
      foundAtMs: one.atMs - one.controlAge,
    } as const;
    return evidenceAt(one.atMs, {
      lookUp: notFoundAt(one.atMs, { answer: one.answer, custodyClockMs: one.custodyClockMs }),
      control:
        one.control === 'found'
          ? found
          : one.control === 'none'
            ? { kind: 'none' }
            : { kind: 'missing', reference: 'older' },
      attempts: one.attempts.map((change, index) => attempt({ ...change, number: index + 1 })),
      attemptsMax: 3,
      capabilities: { ...CAPABILITIES, ...one.capabilities },
      parked: one.parked,
      lookUpOnly: one.lookUpOnly,
      positiveEvidence: one.hasEvidence ? [{ kind: 'webhook_event', detail: 'ev' }] : [],
    });
  });

const RUNS = 10_000;

test('nothing is sent from in doubt without a fresh not-found beside its control', () => {
  const reached = new Set<InDoubtStep['kind']>();
  fc.assert(
    fc.property(evidence, (facts) => {
      const step = nextStepInDoubt(facts);
      reached.add(step.kind);
      if (step.kind !== 'resend' && step.kind !== 'back_to_queue') return;
      const { lookUp, control, attempts } = facts;
      // "Found" with not one transfer in it is a not-found in other words.
      const shown = lookUp.answer.kind === 'found' ? lookUp.answer.transfers.length : 0;
      expect(lookUp.answer.kind).not.toBe('failed');
      expect(shown).toBe(0);
      expect(control.kind === 'found' && Math.abs(control.foundAtMs - lookUp.begunAtMs) <= 60_000).toBe(true);
      expect(attempts.every((one) => lookUp.begunAtMs >= one.startedAtMs + 25_000)).toBe(true);
      expect(evidenceOfTransfer(attempts, facts.positiveEvidence)).toEqual([]);
      expect(facts.parked || facts.lookUpOnly).toBe(false);
    }),
    { numRuns: RUNS },
  );
  // A property that never met a send would prove nothing about sends.
  expect([...reached].sort()).toEqual([
    'advance',
    'back_to_queue',
    'refusal_final',
    'resend',
    'review',
    'stop_all',
    'wait',
  ]);
});

test('the bytes are sent again only before their not-after, or under a permanent reference where none is honoured', () => {
  let sends = 0;
  fc.assert(
    fc.property(evidence, (facts) => {
      if (nextStepInDoubt(facts).kind !== 'resend') return;
      sends += 1;
      const { notAfterHonoured, referenceKept } = facts.capabilities;
      const isBefore = facts.lookUp.custodyClockMs !== null && facts.lookUp.custodyClockMs < NOT_AFTER_MS;
      expect(notAfterHonoured ? isBefore : referenceKept).toBe(true);
    }),
    { numRuns: RUNS },
  );
  expect(sends).toBeGreaterThan(0);
});

test('nothing is released or queued while anything says that a transfer exists, or may still come to exist', () => {
  let releases = 0;
  fc.assert(
    fc.property(evidence, (facts) => {
      const step = nextStepInDoubt(facts);
      if (step.kind !== 'refusal_final' && step.kind !== 'back_to_queue') return;
      releases += 1;
      expect(evidenceOfTransfer(facts.attempts, facts.positiveEvidence)).toEqual([]);
      if (step.kind === 'refusal_final' && step.reason !== 'absence_proved_after_refusal') return;
      expect(facts.lookUp.custodyClockMs ?? 0).toBeGreaterThan(NOT_AFTER_MS + quietPeriodMs(CAPABILITIES));
    }),
    { numRuns: RUNS },
  );
  expect(releases).toBeGreaterThan(0);
});
