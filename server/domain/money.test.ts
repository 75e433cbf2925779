import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareMinor, formatAmount, fromMinorText, MINOR_MAX, parseAmount, parseShownAmount } from '#domain/money.ts';

describe('reading an amount', () => {
  test.each<[string, number, bigint]>([
    ['1', 6, 1_000_000n],
    ['1.0', 6, 1_000_000n],
    ['1.000000', 6, 1_000_000n],
    ['0', 6, 0n],
    ['0.00', 6, 0n],
    ['007', 6, 7_000_000n],
    ['0.000001', 6, 1n],
    ['12', 0, 12n],
    ['0.123456789123456789', 18, 123_456_789_123_456_789n],
    ['284578000.00000004', 8, 28_457_800_000_000_004n],
    ['9007199254740993', 0, 9_007_199_254_740_993n],
  ])('%s with %d decimals is exact', (text, decimals, minor) => {
    expect(parseAmount(text, decimals)).toEqual({ kind: 'ok', minor });
  });

  test.each([
    ['AM06', '-1'],
    ['AM06', '-0'],
    ['AM06', '\u22121'],
    ['AM06', '+1'],
    ['AM01', '1e-8'],
    ['AM01', '1E21'],
    ['AM07', 'Infinity'],
    ['AM07', 'NaN'],
    ['AM07', '1e999'],
    ['AM07', '0x10'],
    ['AM07', '1_000'],
    ['AM07', ' 1 '],
    ['AM07', '1\n'],
    ['AM07', ''],
    ['AM07', 'null'],
    ['AM07', '\u0663'],
    ['AM07', '\uff11'],
    ['AM07', '1.2.3'],
    ['AM07', '.5'],
    ['AM07', '5.'],
    ['AM07', '.'],
    ['AM08', '1,5'],
    ['AM08', '1,000'],
    ['AM08', '1.000,00'],
    ['AM08', '1 000'],
    ['AM08', '1\u00a0000'],
    ['AM08', "1'000"],
    ['AM07', '1n'],
    ['AM07', '1\u200b'],
    ['AM07', `${'9'.repeat(200)}x`],
  ])('%s: %j is refused, never mended', (_case, text) => {
    expect(parseAmount(text, 18)).toEqual({ kind: 'refused', code: 'amount_malformed' });
  });

  test('AM05, AM09: the seventh digit is refused on six decimals, zero or not, and never rounded', () => {
    expect(parseAmount('1.123456', 6)).toEqual({ kind: 'ok', minor: 1_123_456n });
    for (const text of ['1.1234567', '1.1234560', '0.0000000']) {
      expect(parseAmount(text, 6)).toEqual({ kind: 'refused', code: 'amount_too_many_decimals' });
    }
    expect(parseAmount('1.0', 0)).toEqual({ kind: 'refused', code: 'amount_too_many_decimals' });
    expect(parseAmount('0.123456789', 8)).toEqual({ kind: 'refused', code: 'amount_too_many_decimals' });
  });

  test('AM09: one unit is scaled by the decimals it is read with', () => {
    expect(parseAmount('1', 6)).toEqual({ kind: 'ok', minor: 1_000_000n });
    expect(parseAmount('1', 18)).toEqual({ kind: 'ok', minor: 1_000_000_000_000_000_000n });
  });

  test('seventy-eight digits of minor units fit, and one more does not', () => {
    const edge = '9'.repeat(78);
    expect(parseAmount(edge, 0)).toEqual({ kind: 'ok', minor: MINOR_MAX });
    expect(parseAmount(`1${'0'.repeat(78)}`, 0)).toEqual({ kind: 'refused', code: 'amount_too_large' });
    expect(parseAmount(`${'9'.repeat(60)}.${'9'.repeat(18)}`, 18)).toEqual({ kind: 'ok', minor: MINOR_MAX });
    expect(parseAmount(`1${'0'.repeat(60)}`, 18)).toEqual({ kind: 'refused', code: 'amount_too_large' });
    expect(parseAmount('9'.repeat(5000), 0)).toEqual({ kind: 'refused', code: 'amount_too_large' });
  });
});

describe('an amount that another company shows', () => {
  test.each([
    ['0.5', 500_000n],
    ['0.50000000', 500_000n],
    ['.5', 500_000n],
    ['00.5', 500_000n],
    ['5.', 5_000_000n],
    ['1.000000000000000000', 1_000_000n],
    ['0.500001', 500_001n],
  ])('DB19: %s is %d minor units of six decimals', (text, minor) => {
    expect(parseShownAmount(text, 6)).toEqual({ kind: 'ok', minor });
  });

  test.each(['0.5000001', '0.50000000000000000000000001'])('DB19: %s is another number and is not cut', (text) => {
    expect(parseShownAmount(text, 6)).toEqual({ kind: 'refused', code: 'amount_too_many_decimals' });
  });

  test.each(['', '.', '-0.5', '5e-1', '0,5', ' 0.5', '0.5 ', '0x5'])('DB19: %j is no amount', (text) => {
    expect(parseShownAmount(text, 6)).toEqual({ kind: 'refused', code: 'amount_malformed' });
  });
});

describe('writing an amount', () => {
  test.each<[bigint, number, string]>([
    [0n, 18, '0'],
    [1n, 8, '0.00000001'],
    [10n, 8, '0.0000001'],
    [1n, 18, '0.000000000000000001'],
    [1_500_000n, 6, '1.5'],
    [1_000_000n, 6, '1'],
    [100n, 0, '100'],
    [10n ** 21n, 18, '1000'],
    [10n ** 21n, 0, '1000000000000000000000'],
    [-1_500_000n, 6, '-1.5'],
    [-1n, 6, '-0.000001'],
  ])('AM01: %s minor units with %d decimals are %s', (minor, decimals, text) => {
    expect(formatAmount(minor, decimals)).toBe(text);
  });

  test('EC92: what is written is read back, over every number of decimals up to 18 and 78 digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MINOR_MAX }), fc.integer({ min: 0, max: 18 }), (minor, decimals) => {
        const text = formatAmount(minor, decimals);
        expect(text).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
        expect(parseAmount(text, decimals)).toEqual({ kind: 'ok', minor });
      }),
      { numRuns: 2000 },
    );
  });

  test('an amount survives its minor text and every spelling with zeros', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 60n }),
        fc.integer({ min: 0, max: 18 }),
        fc.nat(5),
        (minor, decimals, zeros) => {
          expect(fromMinorText(minor.toString())).toBe(minor);
          const padded = '0'.repeat(zeros) + formatAmount(minor, decimals);
          expect(parseAmount(padded, decimals)).toEqual({ kind: 'ok', minor });
        },
      ),
    );
  });

  test('text that is no plain decimal is refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 18 }), (text, decimals) => {
        const parsed = parseAmount(text, decimals);
        if (parsed.kind === 'ok') expect(text).toMatch(/^[0-9]+(\.[0-9]+)?$/);
      }),
    );
  });
});

describe('minor units as text', () => {
  test('a whole number of 78 digits is read, below zero too, and anything else is a bug', () => {
    for (const text of ['0', '1', '-5', '9'.repeat(78)]) expect(fromMinorText(text)).toBe(BigInt(text));
    for (const text of ['', '+1', '1.0', '1e3', ' 1', '0x1', '9'.repeat(79)])
      expect(() => fromMinorText(text)).toThrow('invariant broken');
  });
});

describe('arithmetic', () => {
  test.each<[string, string]>([
    ['3', '100'],
    ['9', '10'],
    ['225452592072832', '150076275456482068'],
    ['5', '40'],
  ])('AM02: %s is less than %s, whatever their text says', (less, more) => {
    expect(compareMinor(BigInt(less), BigInt(more))).toBe(-1);
    expect(compareMinor(BigInt(more), BigInt(less))).toBe(1);
    expect(compareMinor(BigInt(less), BigInt(less))).toBe(0);
  });
});
