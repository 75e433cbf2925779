import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACCOUNT_KINDS, isCustomerAccount, mayBeNegative } from '#domain/ledger-account.ts';
import {
  balanceOf,
  entriesOf,
  LEDGER_TRANSFER_KINDS,
  type LedgerTransferKind,
  mayBook,
} from '#domain/ledger-transfer.ts';
import { sumMinor } from '#domain/money.ts';
import { creditLegs, holdLegs, lateLegs, postLegs, voidLegs } from '#domain/withdrawal-postings.ts';

const MONEY = { amountMinor: 93n, feeMinor: 7n, totalMinor: 100n };

describe('which accounts move', () => {
  test.each([
    ['hold', holdLegs(MONEY), ['customer_available customer_held 100']],
    ['post', postLegs(MONEY), ['customer_held custody_hot 93', 'customer_held withdrawal_fees 7']],
    ['post without a fee', postLegs({ amountMinor: 100n, feeMinor: 0n }), ['customer_held custody_hot 100']],
    ['void', voidLegs(MONEY), ['customer_held customer_available 100']],
    ['late', lateLegs(MONEY), ['customer_receivable custody_hot 93']],
    ['credit', creditLegs(MONEY), ['custody_hot customer_available 93']],
  ])('%s', (_name, legs, expected) => {
    expect(legs.map((leg) => `${leg.debit} ${leg.credit} ${leg.amountMinor}`)).toEqual(expected);
  });

  test('AM06: nothing of nothing or less is ever booked', () => {
    expect(() => holdLegs({ totalMinor: 0n })).toThrow('invariant broken');
    expect(() => voidLegs({ totalMinor: -1n })).toThrow('invariant broken');
    expect(() => postLegs({ amountMinor: 0n, feeMinor: 7n })).toThrow('invariant broken');
    expect(() => postLegs({ amountMinor: 1n, feeMinor: -1n })).toThrow('invariant broken');
  });
});

test('LE06: a hold that is voided gives back everything, the fee included', () => {
  const entries = entriesOf([...creditLegs({ amountMinor: 100n }), ...holdLegs(MONEY), ...voidLegs(MONEY)]);
  expect(balanceOf(entries, 'customer_available')).toBe(100n);
  expect(balanceOf(entries, 'customer_held')).toBe(0n);
});

test('LE04: a payment proved after the void is what the customer owes, and the books balance', () => {
  const entries = entriesOf([
    ...creditLegs({ amountMinor: 100n }),
    ...holdLegs(MONEY),
    ...voidLegs(MONEY),
    ...lateLegs(MONEY),
  ]);
  expect(balanceOf(entries, 'customer_receivable')).toBe(-93n);
  expect(balanceOf(entries, 'custody_hot')).toBe(-7n);
  expect(sumMinor(entries.map((entry) => entry.amountMinor))).toBe(0n);
});

describe('LE03: each kind once, and a hold ends one way', () => {
  test.each<[LedgerTransferKind, readonly LedgerTransferKind[], boolean]>([
    ['hold', [], true],
    ['hold', ['hold'], false],
    ['post', [], false],
    ['post', ['hold'], true],
    ['void', ['hold'], true],
    ['void', ['hold', 'void'], false],
    ['void', ['hold', 'post'], false],
    ['post', ['hold', 'void'], false],
    ['late', ['hold'], false],
    ['late', ['hold', 'post'], false],
    ['late', ['hold', 'void'], true],
    ['late', ['hold', 'void', 'late'], false],
    ['deposit', [], true],
  ])('%s after %j: %s', (kind, booked, allowed) => {
    expect(mayBook(kind, booked)).toBe(allowed);
  });

  test('whatever is tried, in whatever order, held is never negative and the sum is zero', () => {
    const legsOf = { hold: holdLegs, post: postLegs, void: voidLegs, late: lateLegs };
    const kinds = fc.constantFrom<(keyof typeof legsOf)[]>('hold', 'post', 'void', 'late');
    fc.assert(
      fc.property(fc.array(kinds, { maxLength: 12 }), (tries) => {
        const booked: LedgerTransferKind[] = [];
        const entries = [...entriesOf(creditLegs({ amountMinor: 100n }))];
        for (const kind of tries) {
          if (!mayBook(kind, booked)) continue;
          booked.push(kind);
          entries.push(...entriesOf(legsOf[kind](MONEY)));
          expect(balanceOf(entries, 'customer_held')).toBeGreaterThanOrEqual(0n);
          expect(balanceOf(entries, 'customer_available')).toBeGreaterThanOrEqual(0n);
          expect(sumMinor(entries.map((entry) => entry.amountMinor))).toBe(0n);
        }
      }),
    );
  });
});

test('only what a customer can spend or has on hold may never be negative', () => {
  expect(ACCOUNT_KINDS.filter((kind) => !mayBeNegative(kind))).toEqual(['customer_available', 'customer_held']);
  expect(ACCOUNT_KINDS.filter(isCustomerAccount)).toEqual([
    'customer_available',
    'customer_held',
    'customer_receivable',
  ]);
  expect(LEDGER_TRANSFER_KINDS).toHaveLength(7);
});
