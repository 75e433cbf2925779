import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from './amount-text.ts';

describe('parseAmount', () => {
  test.each([
    ['12.5', 6, 12_500_000n],
    ['0', 6, 0n],
    ['0.000001', 6, 1n],
    ['1.000000000000000001', 18, 1_000_000_000_000_000_001n],
    ['7', 0, 7n],
  ])('%s with %i decimals is exact', (text, decimals, minor) => {
    expect(parseAmount(text, decimals)).toBe(minor);
    expect(parseAmount(formatAmount(minor, decimals), decimals)).toBe(minor);
  });

  test.each(['0.0000001', '1e3', '-1', '+1', '01', '.5', '5.', '', ' 1', '1,5', '0x1'])(
    '%j is no amount with 6 decimals',
    (text) => {
      expect(parseAmount(text, 6)).toBeNull();
    },
  );
});
