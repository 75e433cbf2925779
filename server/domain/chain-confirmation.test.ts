import { describe, expect, test } from 'vitest';
import { isDead, paysWithdrawal, type TransactionSight } from '#domain/chain-confirmation.ts';

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
  const effect = { transactionHash: '0xa', contract: '0xc', to: '0xd', memo: '7', amountMinor: 5n };
  const withdrawal = { transactionHashes: ['0xb', '0xa'], contract: '0xc', address: '0xd', memo: '7', amountMinor: 5n };

  test('a transfer of one of its own transactions, equal in contract, receiver and amount', () => {
    expect(paysWithdrawal(effect, withdrawal)).toBe(true);
  });

  test.each([
    { transactionHash: '0xe' },
    { contract: null },
    { contract: '0xfake' },
    { to: '0xe' },
    { memo: null },
    { memo: '8' },
    { amountMinor: 4n },
    { amountMinor: 6n },
  ])('and not with %o', (change) => {
    expect(paysWithdrawal({ ...effect, ...change }, withdrawal)).toBe(false);
  });
});
