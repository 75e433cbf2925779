import { describe, expect, test } from 'vitest';
import {
  confirmationsOf,
  finalityFor,
  isDead,
  isFinal,
  paysWithdrawal,
  type TransactionSight,
} from '#domain/chain-confirmation.ts';

test.each([
  [100, 100, 1],
  [100, 89, 12],
  [100, 101, 0],
  [100, null, 0],
])('at head %d a transaction of block %s has %d confirmations', (head, block, confirmations) => {
  expect(confirmationsOf(head, block)).toBe(confirmations);
});

test('a block is final with exactly the confirmations required, and not one before', () => {
  expect(isFinal(110, 100, 12)).toBe(false);
  expect(isFinal(111, 100, 12)).toBe(true);
});

test('a reorg that drops the inclusion sets the confirmations to none', () => {
  expect(confirmationsOf(100, 95)).toBe(6);
  expect(confirmationsOf(101, null)).toBe(0);
});

describe('a change of finality', () => {
  const changes = [
    { atHeadNumber: 0, confirmationsRequired: 12 },
    { atHeadNumber: 100, confirmationsRequired: 30 },
    { atHeadNumber: 200, confirmationsRequired: 6 },
  ];

  test.each([
    [50, 30],
    [100, 30],
    [199, 30],
    [200, 6],
    [201, 6],
  ])('is raised at once and lowered only for blocks to come: block %d needs %d', (block, required) => {
    expect(finalityFor(block, changes)).toBe(required);
  });

  test('before the first one there is no network', () => {
    expect(() => finalityFor(5, changes.slice(1))).toThrow('invariant broken');
  });
});

describe('dead or alive', () => {
  const SIGHT: TransactionSight = {
    reader: { halted: false, behind: false },
    finalReceipt: null,
    replacedByFinalHash: null,
    lastValidNumber: null,
    finalNumber: 100,
  };

  test.each<[string, Partial<TransactionSight>, boolean, string]>([
    ['not seen', {}, false, 'may_still_come'],
    ['failed in a final block', { finalReceipt: 'failed' }, true, 'failed_in_final_block'],
    ['succeeded in a final block', { finalReceipt: 'succeeded' }, false, 'succeeded'],
    ['its nonce spent by another', { replacedByFinalHash: '0xb' }, true, 'replaced_in_final_block'],
    ['at its last valid block', { lastValidNumber: 100 }, false, 'may_still_come'],
    ['past its last valid block', { lastValidNumber: 99 }, true, 'expired'],
    ['a halted reader', { finalReceipt: 'failed', reader: { halted: true, behind: false } }, false, 'reader_halted'],
    [
      'a reader that is behind',
      { lastValidNumber: 1, reader: { halted: false, behind: true } },
      false,
      'reader_behind',
    ],
    ['no reader', { replacedByFinalHash: '0xb', reader: null }, false, 'no_reader'],
  ])('%s', (_name, change, dead, reason) => {
    expect(isDead({ ...SIGHT, ...change })).toEqual({ dead, reason });
  });
});

describe('EC105: what pays a withdrawal', () => {
  const effect = { transactionHash: '0xa', contract: '0xc', to: '0xd', amountMinor: 5n };
  const withdrawal = { transactionHashes: ['0xb', '0xa'], contract: '0xc', address: '0xd', amountMinor: 5n };

  test('a transfer of one of its own transactions, equal in contract, receiver and amount', () => {
    expect(paysWithdrawal(effect, withdrawal)).toBe(true);
  });

  test.each([
    { transactionHash: '0xe' },
    { contract: null },
    { contract: '0xfake' },
    { to: '0xe' },
    { amountMinor: 4n },
    { amountMinor: 6n },
  ])('and not with %o', (change) => {
    expect(paysWithdrawal({ ...effect, ...change }, withdrawal)).toBe(false);
  });
});
