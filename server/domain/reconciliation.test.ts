import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXPECTED, FOUND } from '#domain/in-doubt.test-support.ts';
import { findDiscrepancies, judgeMemory, type OurTransfer, type TheirTransfer } from '#domain/reconciliation.ts';

function ours(reference: string, change: Partial<OurTransfer> = {}): OurTransfer {
  return {
    ...EXPECTED,
    reference,
    withdrawalId: `w-${reference}`,
    belief: 'sent',
    transferId: null,
    sends: [],
    ...change,
  };
}

function theirs(reference: string, change: Partial<TheirTransfer> = {}): TheirTransfer {
  return { ...FOUND, externalId: reference, id: `tr-${reference}`, moves: true, createdAtMs: 1_000, ...change };
}

describe('EC88: four kinds, and nothing is fixed', () => {
  test('equal books have no discrepancy', () => {
    expect(findDiscrepancies([ours('a'), ours('b')], [theirs('a'), theirs('b')])).toEqual([]);
    expect(findDiscrepancies([], [])).toEqual([]);
  });

  test('each kind is found, and the entries around it are not disturbed', () => {
    const here = [ours('a'), ours('c'), ours('d'), ours('e')];
    const there = [
      theirs('a'),
      theirs('b'),
      theirs('d', { amount: '12.6' }),
      theirs('e'),
      theirs('e', { id: 'tr-e2' }),
    ];
    expect(findDiscrepancies(here, there)).toEqual([
      { kind: 'missing_here', reference: 'b', transferId: 'tr-b' },
      { kind: 'missing_there', reference: 'c', withdrawalId: 'w-c' },
      { kind: 'differs', reference: 'd', withdrawalId: 'w-d', transferId: 'tr-d', fields: ['amount'] },
      { kind: 'twice', reference: 'e', transferIds: ['tr-e', 'tr-e2'] },
    ]);
  });

  test.each<[string, OurTransfer['belief'], boolean | null, readonly string[] | 'missing_there' | null]>([
    ['sent and moving', 'sent', true, null],
    ['sent, and refused there', 'sent', false, ['status']],
    ['sent, and unknown there', 'sent', null, 'missing_there'],
    ['in doubt is the resolver’s business', 'maybe_sent', true, null],
    ['in doubt is the resolver’s business', 'maybe_sent', false, null],
    ['in doubt is the resolver’s business', 'maybe_sent', null, null],
    ['not sent, and moving there', 'not_sent', true, ['status']],
    ['not sent, and unknown there', 'not_sent', null, null],
    ['ended without a transfer, and moving there', 'ended_without', true, ['status']],
    ['ended without a transfer, and refused there', 'ended_without', false, null],
    ['ended without a transfer, and unknown there', 'ended_without', null, null],
  ])('%s', (_name, belief, moves, expected) => {
    const found = findDiscrepancies([ours('a', { belief })], moves === null ? [] : [theirs('a', { moves })]);
    const [only] = found;
    if (expected === null) expect(found).toEqual([]);
    else if (expected === 'missing_there') expect(only).toMatchObject({ kind: 'missing_there' });
    else expect(only).toMatchObject({ kind: 'differs', fields: expected });
  });

  test('lists out of order are a bug, not a discrepancy', () => {
    expect(() => findDiscrepancies([ours('b'), ours('a')], [])).toThrow('invariant broken');
    expect(() => findDiscrepancies([ours('a'), ours('a')], [])).toThrow('invariant broken');
    expect(() => findDiscrepancies([], [theirs('b'), theirs('a')])).toThrow('invariant broken');
  });

  test('whatever the two lists hold, each reference is answered as if it stood alone', () => {
    const references = fc
      .uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e'))
      .map((list) => [...list].sort());
    fc.assert(
      fc.property(references, references, (here, there) => {
        const found = findDiscrepancies(
          here.map((one) => ours(one)),
          there.map((one) => theirs(one)),
        );
        const kinds = new Map(found.map((one) => [one.reference, one.kind]));
        for (const reference of ['a', 'b', 'c', 'd', 'e']) {
          const isHere = here.includes(reference);
          const isThere = there.includes(reference);
          const expected = isHere === isThere ? undefined : isHere ? 'missing_there' : 'missing_here';
          expect(kinds.get(reference), reference).toBe(expected);
        }
      }),
    );
  });
});

describe('EC91: when our own memory is older than the world', () => {
  const inDoubt = { outcome: null, notAfterMs: 1_000 } as const;
  const denied = (change: Partial<OurTransfer> = {}) => ours('a', { belief: 'not_sent', sends: [inDoubt], ...change });
  test.each<[string, OurTransfer | undefined, TheirTransfer, ReturnType<typeof judgeMemory>]>([
    ['a reference we do not know', undefined, theirs('a'), 'older'],
    ['a reference we think was not sent', ours('a', { belief: 'not_sent' }), theirs('a'), 'older'],
    ['a reference we think ended without a transfer', ours('a', { belief: 'ended_without' }), theirs('a'), 'older'],
    ['a reference in doubt', ours('a', { belief: 'maybe_sent' }), theirs('a'), 'explained'],
    ['a reference we sent', ours('a'), theirs('a'), 'explained'],
    ['a refused request', ours('a', { belief: 'ended_without' }), theirs('a', { moves: false }), 'explained'],
    ['a send made it at its not-after, and was proved absent', denied(), theirs('a'), 'contradicted'],
    ['a send was refused and made it', denied({ belief: 'ended_without' }), theirs('a'), 'contradicted'],
    ['made just after every not-after', denied(), theirs('a', { createdAtMs: 1_001 }), 'older'],
    ['made at a time that nobody tells', denied(), theirs('a', { createdAtMs: null }), 'older'],
    ['made with other money than ours', denied(), theirs('a', { amount: '12.6' }), 'older'],
    ['nothing of it was ever sent', denied({ sends: [{ ...inDoubt, outcome: 'not_sent' }] }), theirs('a'), 'older'],
    ['custody said that it made nothing', denied({ sends: [{ ...inDoubt, outcome: 'later' }] }), theirs('a'), 'older'],
    [
      'the transfer that custody failed for good',
      ours('a', { belief: 'ended_without', transferId: 'tr-a' }),
      theirs('a'),
      'contradicted',
    ],
  ])('%s', (_name, here, there, verdict) => {
    expect(judgeMemory(here, there, { notAfterHonoured: true })).toBe(verdict);
  });

  test('where no not-after is honoured, a send may have made it at any time', () => {
    const there = theirs('a', { createdAtMs: 9_999_999 });
    expect(judgeMemory(denied(), there, { notAfterHonoured: false })).toBe('contradicted');
  });
});
