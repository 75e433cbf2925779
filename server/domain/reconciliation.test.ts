import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXPECTED, FOUND } from '#domain/in-doubt.test-support.ts';
import { findDiscrepancies, isOurMemoryOlder, type OurTransfer, type TheirTransfer } from '#domain/reconciliation.ts';

function ours(reference: string, change: Partial<OurTransfer> = {}): OurTransfer {
  return { ...EXPECTED, reference, withdrawalId: `w-${reference}`, belief: 'sent', ...change };
}

function theirs(reference: string, change: Partial<TheirTransfer> = {}): TheirTransfer {
  return { ...FOUND, externalId: reference, id: `tr-${reference}`, moves: true, ...change };
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
  test.each<[string, OurTransfer[], TheirTransfer[], boolean]>([
    ['a reference we do not know', [], [theirs('a')], true],
    ['a reference we think was not sent', [ours('a', { belief: 'not_sent' })], [theirs('a')], true],
    ['a reference we think ended without a transfer', [ours('a', { belief: 'ended_without' })], [theirs('a')], true],
    ['a reference in doubt', [ours('a', { belief: 'maybe_sent' })], [theirs('a')], false],
    ['a reference we sent', [ours('a')], [theirs('a')], false],
    [
      'a refused request that we ended',
      [ours('a', { belief: 'ended_without' })],
      [theirs('a', { moves: false })],
      false,
    ],
    ['nothing there', [ours('a')], [], false],
  ])('%s', (_name, here, there, older) => {
    expect(isOurMemoryOlder(here, there)).toBe(older);
  });
});
