import { describe, expect, test } from 'vitest';
import { type CustodyCapabilities, quietPeriodMs } from '#domain/custody-capabilities.ts';
import type { Control, LookUp, PositiveEvidence, SendAttempt } from '#domain/custody-evidence.ts';
import {
  attempt,
  CAPABILITIES,
  controlAt,
  FOUND,
  NOT_AFTER_MS,
  notFoundAt,
  SENT_AT_MS,
  SITE,
} from '#domain/in-doubt.test-support.ts';
import { provesAbsence } from '#domain/proof-of-absence.ts';

// The first instant of custody's clock at which absence can be proved: past the not-after by more than the read lag.
const PROVABLE_AT_MS = NOT_AFTER_MS + quietPeriodMs(CAPABILITIES) + 1;

interface Case {
  readonly lookUp?: LookUp;
  readonly attempts?: readonly SendAttempt[];
  readonly control?: Control;
  readonly capabilities?: Partial<CustodyCapabilities>;
  readonly positiveEvidence?: readonly PositiveEvidence[];
}

function verdict(change: Case): string {
  const result = provesAbsence(
    change.lookUp ?? notFoundAt(PROVABLE_AT_MS),
    change.attempts ?? [attempt()],
    change.control ?? controlAt(PROVABLE_AT_MS),
    { ...CAPABILITIES, ...change.capabilities },
    change.positiveEvidence ?? [],
  );
  return result.proved ? 'proved' : result.reason;
}

test('nothing found past the not-after and the read lag, beside a control, proves absence', () => {
  expect(verdict({})).toBe('proved');
});

describe('custody’s own clock decides, to the millisecond', () => {
  test('at the edge absence is not proved, and one millisecond later it is', () => {
    const at = (custodyClockMs: number | null) => verdict({ lookUp: notFoundAt(PROVABLE_AT_MS, { custodyClockMs }) });
    expect(at(PROVABLE_AT_MS - 1)).toBe('not_after_not_passed');
    expect(at(PROVABLE_AT_MS)).toBe('proved');
    expect(at(null)).toBe('custody_clock_unknown');
  });

  test('EC43: our own clock, two hours ahead, proves nothing', () => {
    const begunAtMs = PROVABLE_AT_MS + 7_200_000;
    const lookUp = notFoundAt(begunAtMs, { custodyClockMs: NOT_AFTER_MS - 1 });
    expect(verdict({ lookUp, control: controlAt(begunAtMs) })).toBe('not_after_not_passed');
  });

  test('the latest not-after counts, and an attempt without one is never proved absent', () => {
    const later = attempt({ number: 2, startedAtMs: SENT_AT_MS + 1, notAfterMs: NOT_AFTER_MS + 1 });
    expect(verdict({ attempts: [attempt(), later] })).toBe('not_after_not_passed');
    expect(verdict({ attempts: [later, attempt()] })).toBe('not_after_not_passed');
    expect(verdict({ attempts: [attempt(), attempt({ number: 2, notAfterMs: null })] })).toBe('not_after_unknown');
  });
});

describe('the control', () => {
  const found = controlAt(PROVABLE_AT_MS);
  if (found.kind !== 'found') throw new Error('the control of these tests is found');

  test.each<[string, Control, string]>([
    ['missing', { kind: 'missing', reference: 'older' }, 'control_missing'],
    ['never asked for', { kind: 'none' }, 'control_missing'],
    ['found a minute before', { ...found, foundAtMs: PROVABLE_AT_MS - 60_000 }, 'proved'],
    ['found more than a minute before', { ...found, foundAtMs: PROVABLE_AT_MS - 60_001 }, 'control_missing'],
    ['found more than a minute after', { ...found, foundAtMs: PROVABLE_AT_MS + 60_001 }, 'control_missing'],
    ['accepted just before the attempt', { ...found, acceptedAtMs: SENT_AT_MS - 1 }, 'proved'],
    ['accepted with the attempt', { ...found, acceptedAtMs: SENT_AT_MS }, 'control_missing'],
    ['found by another client', { ...found, account: 'other' }, 'control_missing'],
  ])('%s: %o', (_name, control, expected) => {
    expect(verdict({ control })).toBe(expected);
  });
});

test.each<[string, Case, string]>([
  [
    'EC71: we hold a transfer id',
    { positiveEvidence: [{ kind: 'transfer_id_on_record', detail: 'tr_1' }] },
    'evidence_of_a_transfer',
  ],
  [
    'an event not yet applied',
    { positiveEvidence: [{ kind: 'webhook_event', detail: 'ev' }] },
    'evidence_of_a_transfer',
  ],
  ['EC70: a chain effect', { positiveEvidence: [{ kind: 'chain_effect', detail: '0x' }] }, 'evidence_of_a_transfer'],
  ['an attempt that was accepted', { attempts: [attempt({ outcome: 'accepted' })] }, 'evidence_of_a_transfer'],
  ['no attempt', { attempts: [] }, 'no_attempt_on_record'],
  ['another provider', { lookUp: notFoundAt(PROVABLE_AT_MS, { provider: 'other' }) }, 'other_site'],
  ['another account', { lookUp: notFoundAt(PROVABLE_AT_MS, { account: 'other' }) }, 'other_site'],
  [
    'EC52: a failed look-up',
    { lookUp: notFoundAt(PROVABLE_AT_MS, { answer: { kind: 'failed', reason: '' } }) },
    'not_a_not_found',
  ],
  [
    'a found transfer',
    { lookUp: notFoundAt(PROVABLE_AT_MS, { answer: { kind: 'found', transfers: [FOUND] } }) },
    'not_a_not_found',
  ],
  ['EC49: no not-after', { capabilities: { notAfterHonoured: false } }, 'not_after_not_honoured'],
  ['a search that custody does not offer', { capabilities: { searchableByReference: false } }, 'not_a_not_found'],
])('%s proves nothing', (_name, change, expected) => {
  expect(verdict(change)).toBe(expected);
});

describe('a walk instead of a search', () => {
  const walk = (fromMs: number, toMs: number, complete = true) =>
    verdict({
      capabilities: { searchableByReference: false },
      lookUp: notFoundAt(PROVABLE_AT_MS, { method: { kind: 'walk', fromMs, toMs, complete } }),
    });

  test('counts when it is whole and reaches from before the first attempt to after the last not-after', () => {
    expect(walk(SENT_AT_MS - 1, NOT_AFTER_MS)).toBe('proved');
    expect(walk(SENT_AT_MS, NOT_AFTER_MS)).toBe('walk_incomplete');
    expect(walk(SENT_AT_MS - 1, NOT_AFTER_MS - 1)).toBe('walk_incomplete');
    expect(walk(SENT_AT_MS - 1, NOT_AFTER_MS, false)).toBe('walk_incomplete');
  });
});

test('an attempt proved absent before needs no second proof of its own control', () => {
  const old = attempt({ startedAtMs: SENT_AT_MS - 500_000, notAfterMs: SENT_AT_MS - 400_000, provedAbsent: true });
  expect(verdict({ attempts: [old, attempt({ number: 2 })] })).toBe('proved');
  expect(SITE.provider).toBe('custody');
});
