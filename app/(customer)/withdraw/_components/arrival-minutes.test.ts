import { expect, test } from 'vitest';
import { arrivalMinutes } from './arrival-minutes.ts';

test.each([
  ['evm', 12, 3],
  ['bitcoin', 2, 20],
  ['bitcoin', 1, 10],
  ['solana', 32, 1],
  ['xrp', 1, 1],
  ['tron', 20, 1],
  ['tron', 21, 2],
] as const)('on %s, %i confirmations take about %i minutes', (family, confirmationsRequired, minutes) => {
  expect(arrivalMinutes({ family, confirmationsRequired })).toBe(minutes);
});
