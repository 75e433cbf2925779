import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyFact, type FoldedFacts, foldFacts, NO_FACTS, type TransferFact } from '#domain/withdrawal-facts.ts';

const accepted: TransferFact = { kind: 'accepted', transferId: 'tr_1' };
const signed: TransferFact = { kind: 'signed', transactionHash: '0xa' };
const broadcast: TransferFact = { kind: 'broadcast', transactionHash: '0xa' };
const confirmed: TransferFact = { kind: 'confirmed', transactionHash: '0xa' };
const paid: TransferFact = { kind: 'paid', transactionHash: '0xa', effectId: 'e1' };
const dead: TransferFact = { kind: 'dead', transactionHash: '0xa' };
const failed: TransferFact = { kind: 'failed_finally', code: 'rejected_by_network' };
const refused: TransferFact = { kind: 'refused_finally', code: 'address_rejected' };

function outcome(facts: readonly TransferFact[]): [string, readonly string[]] {
  const { status, cases } = foldFacts(facts);
  return [status, cases];
}

describe('the furthest sign of life is the status', () => {
  test.each<[string, readonly TransferFact[], string]>([
    ['nothing', [], 'in_doubt'],
    ['accepted', [accepted], 'submitted'],
    ['signed before we knew of it', [signed], 'submitted'],
    ['broadcast', [broadcast], 'broadcast'],
    ['an older event after a newer one', [broadcast, accepted, signed], 'broadcast'],
    ['custody’s word on a block is no completion', [accepted, confirmed], 'broadcast'],
    ['paid by a final effect', [paid], 'completed'],
    ['a dead transaction whose replacement may come', [signed, dead], 'submitted'],
  ])('%s', (_name, facts, status) => {
    expect(outcome(facts)).toEqual([status, []]);
  });

  test('EC107: every hash ever named is kept', () => {
    const replaced = foldFacts([signed, { kind: 'broadcast', transactionHash: '0xb' }, broadcast]);
    expect(replaced.transactionHashes).toEqual(['0xa', '0xb']);
  });
});

describe('EC69: a failure releases when every transaction is dead', () => {
  test('custody’s final failure before anything was signed is a failure', () => {
    expect(outcome([accepted, failed])).toEqual(['failed', []]);
  });

  test('with a living transaction it is not, and with its death it is', () => {
    expect(outcome([accepted, signed, failed])).toEqual(['submitted', []]);
    expect(outcome([accepted, broadcast, failed])).toEqual(['broadcast', []]);
    expect(outcome([accepted, broadcast, failed, dead])).toEqual(['failed', []]);
    expect(outcome([accepted, broadcast, dead, failed])).toEqual(['failed', []]);
    expect(outcome([signed, { kind: 'signed', transactionHash: '0xb' }, failed, dead])).toEqual(['submitted', []]);
  });

  test('a final refusal without a transfer is a failure', () => {
    expect(outcome([refused])).toEqual(['failed', []]);
  });
});

describe('contradictions open a case and turn nothing round', () => {
  test.each<[string, readonly TransferFact[], string, readonly string[]]>([
    ['EC70: failed at custody, paid on the chain', [broadcast, failed, paid], 'completed', ['paid_despite_failure']],
    ['WH06: completed, then failed', [paid, failed], 'completed', ['paid_despite_failure']],
    ['LE04: failed, then paid', [accepted, failed, paid], 'failed', ['paid_despite_failure', 'transfer_after_failure']],
    [
      'EC77: refused, then broadcast',
      [refused, broadcast],
      'failed',
      ['refused_with_transfer', 'transfer_after_failure'],
    ],
    ['accepted, then refused', [accepted, refused], 'submitted', ['refused_with_transfer']],
    ['EC54: two transfers', [accepted, { kind: 'accepted', transferId: 'tr_2' }], 'submitted', ['two_transfers']],
    ['two effects', [paid, { ...paid, effectId: 'e2' }], 'completed', ['paid_twice']],
    ['a dead transaction that paid', [dead, paid], 'completed', ['dead_transaction_paid']],
  ])('%s', (_name, facts, status, cases) => {
    expect(outcome(facts)).toEqual([status, cases]);
  });

  test('EC74: a repeated fact changes nothing, after an end as before it', () => {
    for (const fact of [accepted, signed, broadcast, confirmed, paid, dead, failed, refused]) {
      const once = applyFact(NO_FACTS, fact);
      expect(applyFact(once, fact), fact.kind).toEqual(once);
    }
  });
});

describe('EC75: order and repetition', () => {
  const hash = fc.constantFrom('0xa', '0xb');
  const living: fc.Arbitrary<TransferFact> = fc.oneof(
    fc.constantFrom('tr_1', 'tr_2').map((transferId) => ({ kind: 'accepted', transferId }) as const),
    fc
      .tuple(fc.constantFrom('signed', 'broadcast', 'confirmed', 'dead'), hash)
      .map(([kind, transactionHash]) => ({ kind, transactionHash })),
    fc
      .tuple(hash, fc.constantFrom('e1', 'e2'))
      .map(([transactionHash, effectId]) => ({ kind: 'paid', transactionHash, effectId }) as const),
  );
  const ending = fc.constantFrom(failed, refused);
  const shuffled = (fact: fc.Arbitrary<TransferFact>) =>
    fc.array(fact, { minLength: 1, maxLength: 7 }).chain((facts) =>
      fc.tuple(
        fc.constant(facts),
        fc
          .tuple(
            fc.shuffledSubarray(facts, { minLength: facts.length }),
            fc.array(fc.constantFrom(...facts), { maxLength: 4 }),
          )
          .chain(([order, repeats]) =>
            fc.shuffledSubarray([...order, ...repeats], { minLength: order.length + repeats.length }),
          ),
      ),
    );

  const asSets = (folded: FoldedFacts) => ({
    ...folded,
    transferIds: [...folded.transferIds].sort(),
    transactionHashes: [...folded.transactionHashes].sort(),
    deadHashes: [...folded.deadHashes].sort(),
    paidHashes: [...folded.paidHashes].sort(),
    effectIds: [...folded.effectIds].sort(),
    cases: [...folded.cases].sort(),
  });

  test('without a final failure every order and repetition comes to the same', () => {
    fc.assert(
      fc.property(shuffled(living), ([facts, again]) => {
        expect(asSets(foldFacts(again))).toEqual(asSets(foldFacts(facts)));
      }),
      { numRuns: 3000 },
    );
  });

  test('with one it comes to the same, or a case is open', () => {
    fc.assert(
      fc.property(
        shuffled(fc.oneof({ weight: 3, arbitrary: living }, { weight: 1, arbitrary: ending })),
        ([facts, again]) => {
          const first = foldFacts(facts);
          const second = foldFacts(again);
          if (first.status === second.status) return;
          expect(first.cases.length + second.cases.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('EC23: a status never goes back, whatever comes', () => {
    const rank = { in_doubt: 0, submitted: 1, broadcast: 2, completed: 3, failed: 3 };
    fc.assert(
      fc.property(fc.array(fc.oneof(living, ending), { maxLength: 8 }), (facts) => {
        let before = NO_FACTS;
        for (const fact of facts) {
          const after = applyFact(before, fact);
          expect(rank[after.status]).toBeGreaterThanOrEqual(rank[before.status]);
          if (rank[before.status] === 3) expect(after.status).toBe(before.status);
          expect(after.cases).toEqual(expect.arrayContaining([...before.cases]));
          before = after;
        }
      }),
      { numRuns: 3000 },
    );
  });
});
