import { expect, test } from 'vitest';
import { nextDepositPollMs } from './deposit-poll.ts';

const pending = { status: 'pending', transactionHash: '0x1' } as const;
const credited = { status: 'credited', transactionHash: '0x2' } as const;

test('the list is asked for fast while something is awaited, less while it is confirmed, and rarely otherwise', () => {
  expect(nextDepositPollMs([credited], ['0x3'])).toBe(700);
  expect(nextDepositPollMs([credited, pending], ['0x1'])).toBe(2_000);
  expect(nextDepositPollMs([credited], ['0x2'])).toBe(15_000);
  expect(nextDepositPollMs([], [])).toBe(15_000);
});
