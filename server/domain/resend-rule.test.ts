import { describe, expect, test } from 'vitest';
import type { CustodyCapabilities } from '#domain/custody-capabilities.ts';
import type { FoundTransfer, SendAttempt } from '#domain/custody-evidence.ts';
import {
  attempt,
  CAPABILITIES,
  controlAt,
  evidenceAt,
  FOUND,
  NOT_AFTER_MS,
  notFoundAt,
  SENT_AT_MS,
} from '#domain/in-doubt.test-support.ts';
import { type InDoubtEvidence, type InDoubtStep, nextStepInDoubt } from '#domain/resend-rule.ts';

const QUIET_UNTIL_MS = SENT_AT_MS + 25_000;
// A request let in just before may live for twenty seconds, and be shown five later.
const PROVABLE_AT_MS = NOT_AFTER_MS + 25_001;

function stepAt(atMs: number, change: Partial<InDoubtEvidence> = {}): InDoubtStep {
  return nextStepInDoubt(evidenceAt(atMs, change));
}

function named(step: InDoubtStep): string {
  return step.kind === 'advance' ? 'advance' : `${step.kind} ${step.reason}`;
}

function whenFound(transfers: readonly FoundTransfer[], change: Partial<InDoubtEvidence> = {}): InDoubtStep {
  const lookUp = notFoundAt(QUIET_UNTIL_MS, { answer: { kind: 'found', transfers } });
  return stepAt(QUIET_UNTIL_MS, { lookUp, ...change });
}

describe('found', () => {
  test('an equal transfer advances the row, whatever the control, the age or the switches say', () => {
    const change = { control: { kind: 'missing', reference: 'older' }, parked: true, lookUpOnly: true } as const;
    expect(whenFound([FOUND])).toEqual({ kind: 'advance', transfer: FOUND });
    expect(whenFound([FOUND], change)).toEqual({ kind: 'advance', transfer: FOUND });
  });

  test.each([
    ['amount', { amount: '12.6' }],
    ['address', { address: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359' }],
    ['asset', { asset: 'USDT' }],
    ['network', { network: 'tron' }],
    ['memo', { memo: '1' }],
  ])('EC53: another %s is for people, with an alarm, and the asset pauses', (field, change) => {
    expect(whenFound([{ ...FOUND, ...change }])).toEqual({
      kind: 'review',
      reason: 'transfer_differs',
      detail: field,
      alarm: true,
      pauseAsset: true,
    });
  });

  test('EC54: two transfers under one reference pause the asset', () => {
    const step = whenFound([FOUND, { ...FOUND, id: 'tr_2' }]);
    expect(step).toMatchObject({
      kind: 'review',
      reason: 'two_transfers',
      detail: 'tr_1 tr_2',
      alarm: true,
      pauseAsset: true,
    });
  });

  test('EC54: another transfer than the one on record is a second one', () => {
    const onRecord = (detail: string) =>
      whenFound([FOUND], { positiveEvidence: [{ kind: 'transfer_id_on_record', detail }] });
    expect(onRecord('tr_1').kind).toBe('advance');
    expect(onRecord('tr_0')).toMatchObject({ kind: 'review', reason: 'two_transfers', pauseAsset: true });
  });

  test('EC55: a search that answers with another reference is not the search we asked for', () => {
    const sibling = { ...FOUND, externalId: `${FOUND.externalId}0` };
    expect(named(whenFound([sibling]))).toBe('wait look_up_not_exact');
    expect(named(whenFound([sibling, FOUND]))).toBe('wait look_up_not_exact');
  });

  test('EC55: in a walk others’ transfers are nothing of ours, equal in amount and address or not', () => {
    const method = { kind: 'walk', fromMs: 0, toMs: QUIET_UNTIL_MS, complete: true } as const;
    const sibling = { ...FOUND, externalId: 'another' };
    const walk = (transfers: readonly FoundTransfer[]) =>
      stepAt(QUIET_UNTIL_MS, { lookUp: notFoundAt(QUIET_UNTIL_MS, { answer: { kind: 'found', transfers }, method }) });
    expect(named(walk([sibling]))).toBe('resend not_found_beside_control');
    expect(walk([sibling, FOUND])).toEqual({ kind: 'advance', transfer: FOUND });
  });

  test('a refusal recorded under the reference is final, unless something says that a transfer exists', () => {
    const refused = { ...FOUND, status: 'refused', failureCode: 'address_rejected', final: true };
    expect(whenFound([refused])).toEqual({
      kind: 'refusal_final',
      refusalCode: 'address_rejected',
      reason: 'recorded_under_reference',
    });
    const contrary = whenFound([refused], { positiveEvidence: [{ kind: 'chain_effect', detail: '0xabc' }] });
    expect(contrary).toMatchObject({ kind: 'review', reason: 'refusal_contradicted', alarm: true });
  });
});

describe('not found', () => {
  test('EC47, EC51: inside the quiet period it means nothing; at its end the same bytes go again', () => {
    expect(stepAt(QUIET_UNTIL_MS - 1)).toEqual({ kind: 'wait', reason: 'quiet_period', untilMs: QUIET_UNTIL_MS });
    expect(named(stepAt(QUIET_UNTIL_MS))).toBe('resend not_found_beside_control');
  });

  test('the quiet period runs from the latest attempt', () => {
    const attempts = [attempt(), attempt({ number: 2, startedAtMs: SENT_AT_MS + 10_000 })];
    expect(named(stepAt(QUIET_UNTIL_MS + 9_999, { attempts }))).toBe('wait quiet_period');
    expect(named(stepAt(QUIET_UNTIL_MS + 10_000, { attempts }))).toBe('resend not_found_beside_control');
  });

  test('EC50: at the not-after nothing is sent any more, until absence is proved', () => {
    expect(named(stepAt(NOT_AFTER_MS - 1))).toBe('resend not_found_beside_control');
    expect(named(stepAt(NOT_AFTER_MS))).toBe('wait not_after_not_passed');
    expect(named(stepAt(PROVABLE_AT_MS - 1))).toBe('wait not_after_not_passed');
    expect(named(stepAt(PROVABLE_AT_MS))).toBe('back_to_queue absence_proved');
  });

  test('EC43: the not-after is read from custody’s clock', () => {
    const lookUp = notFoundAt(NOT_AFTER_MS + 7_200_000, { custodyClockMs: NOT_AFTER_MS - 1 });
    expect(named(stepAt(NOT_AFTER_MS + 7_200_000, { lookUp }))).toBe('resend not_found_beside_control');
    const silent = notFoundAt(QUIET_UNTIL_MS, { custodyClockMs: null });
    expect(named(stepAt(QUIET_UNTIL_MS, { lookUp: silent }))).toBe('wait custody_clock_unknown');
  });

  test('without its control all sending stops; without any control it waits', () => {
    expect(named(stepAt(PROVABLE_AT_MS, { control: { kind: 'missing', reference: 'older' } }))).toBe(
      'stop_all control_not_found',
    );
    expect(named(stepAt(PROVABLE_AT_MS, { control: { kind: 'none' } }))).toBe('wait control_needed');
    expect(named(stepAt(PROVABLE_AT_MS, { control: controlAt(PROVABLE_AT_MS - 60_000) }))).toBe('wait control_needed');
  });

  test('EC71: a transfer we know of and custody does not is for people', () => {
    const positiveEvidence = [{ kind: 'transfer_id_on_record', detail: 'tr_1' }] as const;
    expect(stepAt(PROVABLE_AT_MS, { positiveEvidence })).toMatchObject({
      kind: 'review',
      reason: 'transfer_vanished',
      alarm: true,
    });
    expect(named(stepAt(PROVABLE_AT_MS, { attempts: [attempt({ outcome: 'accepted' })] }))).toBe(
      'review transfer_vanished',
    );
  });

  test('EC71: a look-up that lags behind the event of a transfer just made contradicts nothing yet', () => {
    const positiveEvidence = [{ kind: 'webhook_event', detail: '1 not applied' }] as const;
    const lookUp = notFoundAt(attempt().startedAtMs + 1_000);
    expect(named(stepAt(attempt().startedAtMs + 1_000, { lookUp, positiveEvidence }))).toBe('wait quiet_period');
  });

  test('EC52, CU12: a look-up that failed changes nothing', () => {
    const lookUp = notFoundAt(PROVABLE_AT_MS, { answer: { kind: 'failed', reason: 'status 503' } });
    expect(named(stepAt(PROVABLE_AT_MS, { lookUp }))).toBe('wait look_up_failed');
  });

  test('another provider or account is never asked to pay it', () => {
    for (const change of [{ provider: 'other' }, { account: 'other' }]) {
      expect(named(stepAt(PROVABLE_AT_MS, { lookUp: notFoundAt(PROVABLE_AT_MS, change) }))).toBe('review other_site');
    }
  });

  test('in doubt without an attempt is a hole in our own memory', () => {
    expect(named(stepAt(PROVABLE_AT_MS, { attempts: [] }))).toBe('review no_attempt_on_record');
  });

  test('EC60: where custody saw other bytes under the key, nothing is sent again', () => {
    const attempts = [attempt({ outcome: 'in_doubt', reason: 'idempotency_key_reused' })];
    expect(stepAt(QUIET_UNTIL_MS, { attempts })).toMatchObject({
      kind: 'review',
      reason: 'bytes_changed',
      alarm: true,
    });
  });

  test('bytes that we made anew after proof of absence, under a key that custody burned, alarm nobody', () => {
    const attempts = [
      attempt({ notAfterMs: NOT_AFTER_MS - 1, provedAbsent: true }),
      attempt({ number: 2, outcome: 'in_doubt', reason: 'idempotency_key_reused' }),
    ];
    expect(stepAt(QUIET_UNTIL_MS, { attempts })).toMatchObject({
      kind: 'review',
      reason: 'bytes_changed',
      alarm: false,
    });
  });
});

describe('attempts', () => {
  const many = (count: number, change: Partial<SendAttempt> = {}) =>
    Array.from({ length: count }, (_, index) => attempt({ number: index + 1, ...change }));

  test('EC42: the last but one goes again, the last one goes to people', () => {
    expect(named(stepAt(QUIET_UNTIL_MS, { attempts: many(4) }))).toBe('resend not_found_beside_control');
    expect(named(stepAt(QUIET_UNTIL_MS, { attempts: many(5) }))).toBe('review attempts_exhausted');
  });

  test('five that are proved to have made nothing lead back to the queue, and those of before count no more', () => {
    expect(named(stepAt(PROVABLE_AT_MS, { attempts: many(5) }))).toBe('back_to_queue absence_proved');
    const attempts = [...many(5, { provedAbsent: true }), attempt({ number: 6 })];
    expect(named(stepAt(QUIET_UNTIL_MS, { attempts }))).toBe('resend not_found_beside_control');
  });

  test('what was proved not sent, or only put off, does not count', () => {
    const attempts = [...many(4), ...many(50, { outcome: 'not_sent' }), ...many(50, { outcome: 'later' })];
    expect(named(stepAt(QUIET_UNTIL_MS, { attempts }))).toBe('resend not_found_beside_control');
  });
});

describe('a refused answer', () => {
  const refusal = attempt({ number: 2, outcome: 'refused', reason: 'address_rejected' });

  test('EC57: after an ambiguous attempt it ends nothing until absence is proved', () => {
    const attempts = [attempt({ outcome: 'in_doubt' }), refusal];
    expect(stepAt(QUIET_UNTIL_MS, { attempts })).toEqual({
      kind: 'wait',
      reason: 'refusal_awaits_proof',
      untilMs: NOT_AFTER_MS,
    });
    expect(stepAt(PROVABLE_AT_MS, { attempts })).toEqual({
      kind: 'refusal_final',
      refusalCode: 'address_rejected',
      reason: 'absence_proved_after_refusal',
    });
  });

  test.each<[string, Partial<CustodyCapabilities>, readonly SendAttempt[], string]>([
    [
      'the sole attempt, by contract',
      { requestsNeverRepeated: true },
      [refusal],
      'refusal_final sole_attempt_by_contract',
    ],
    [
      'beside attempts proved not sent',
      { requestsNeverRepeated: true },
      [attempt({ outcome: 'not_sent' }), refusal],
      'refusal_final sole_attempt_by_contract',
    ],
    ['a proxy may repeat', {}, [refusal], 'review refusal_without_proof'],
    [
      'other checks come first',
      { requestsNeverRepeated: true, duplicateCheckFirst: false },
      [refusal],
      'review refusal_without_proof',
    ],
    ['not the sole attempt', { requestsNeverRepeated: true }, [attempt(), refusal], 'review refusal_without_proof'],
    [
      'refusals are kept, and this one is not',
      { requestsNeverRepeated: true, refusalsKept: true },
      [refusal],
      'review refusal_without_proof',
    ],
  ])('of a custody that keeps no refusals and honours no not-after: %s', (_name, change, attempts, expected) => {
    const capabilities = { ...CAPABILITIES, notAfterHonoured: false, refusalsKept: false, ...change };
    expect(named(stepAt(PROVABLE_AT_MS, { capabilities, attempts }))).toBe(expected);
  });
});

describe('what a provider offers', () => {
  const without = (change: Partial<CustodyCapabilities>, atMs: number, attempts = [attempt()]) =>
    named(stepAt(atMs, { capabilities: { ...CAPABILITIES, ...change }, attempts }));

  test('EC48: no not-after but a permanent reference: the same bytes may always go again, and absence is never proved', () => {
    expect(without({ notAfterHonoured: false }, PROVABLE_AT_MS)).toBe('resend not_found_beside_control');
    expect(without({ notAfterHonoured: false }, PROVABLE_AT_MS + 86_400_000)).toBe('resend not_found_beside_control');
  });

  test('EC49: neither: nothing is sent again and nothing released', () => {
    expect(without({ notAfterHonoured: false, referenceKept: false }, PROVABLE_AT_MS)).toBe('review no_safe_resend');
  });

  test('no permanent reference but a not-after: inside it the key protects, past it absence is proved', () => {
    expect(without({ referenceKept: false }, NOT_AFTER_MS - 1)).toBe('resend not_found_beside_control');
    expect(without({ referenceKept: false }, NOT_AFTER_MS)).toBe('wait not_after_not_passed');
    expect(without({ referenceKept: false }, PROVABLE_AT_MS)).toBe('back_to_queue absence_proved');
  });

  test('no search by reference: only a whole walk counts', () => {
    expect(without({ searchableByReference: false }, QUIET_UNTIL_MS)).toBe('wait look_up_not_exact');
    const method = { kind: 'walk', fromMs: SENT_AT_MS, toMs: QUIET_UNTIL_MS, complete: true } as const;
    const walk = (fromMs: number) =>
      named(
        stepAt(QUIET_UNTIL_MS, {
          capabilities: { ...CAPABILITIES, searchableByReference: false },
          lookUp: notFoundAt(QUIET_UNTIL_MS, { method: { ...method, fromMs } }),
        }),
      );
    expect(walk(SENT_AT_MS)).toBe('wait look_up_incomplete');
    expect(walk(SENT_AT_MS - 1)).toBe('resend not_found_beside_control');
  });

  test('an attempt that carried no not-after is never sent again', () => {
    expect(without({}, QUIET_UNTIL_MS, [attempt({ notAfterMs: null })])).toBe('review no_safe_resend');
  });
});

test.each(['parked', 'lookUpOnly'] as const)(
  'a row that is %s is neither sent, queued nor released by a machine',
  (flag) => {
    const reason = flag === 'parked' ? 'parked' : 'look_up_only';
    const refused = { ...FOUND, status: 'refused' };
    expect(named(stepAt(QUIET_UNTIL_MS, { [flag]: true }))).toBe(`wait ${reason}`);
    expect(named(stepAt(PROVABLE_AT_MS, { [flag]: true }))).toBe(`wait ${reason}`);
    expect(named(whenFound([refused], { [flag]: true }))).toBe(`wait ${reason}`);
  },
);

describe('custody had accepted nothing before', () => {
  const control = { kind: 'never' } as const;

  test('a row waits out its quiet period and is left to people, whatever else would speak for a send', () => {
    expect(named(stepAt(QUIET_UNTIL_MS - 1, { control }))).toBe('wait quiet_period');
    expect(named(stepAt(QUIET_UNTIL_MS, { control }))).toBe('review control_impossible');
    expect(named(stepAt(PROVABLE_AT_MS, { control }))).toBe('review control_impossible');
  });

  test('a transfer that is found advances it all the same', () => {
    expect(named(whenFound([FOUND], { control }))).toBe('advance');
  });
});

test('what custody put off is not counted toward the tries, and may be sent again', () => {
  const putOff = Array.from({ length: 9 }, (_, index) =>
    attempt({ number: index + 1, outcome: 'in_doubt', reason: 'put_off' }),
  );
  expect(named(stepAt(QUIET_UNTIL_MS, { attempts: putOff }))).toBe('resend not_found_beside_control');
  const tried = putOff.map((one) => ({ ...one, reason: 'no_answer' }));
  expect(named(stepAt(QUIET_UNTIL_MS, { attempts: tried }))).toBe('review attempts_exhausted');
});
