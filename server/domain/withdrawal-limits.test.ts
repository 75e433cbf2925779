import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amountWorth,
  compareWithLimits,
  REFERENCE_DECIMALS,
  referenceValueOf,
  SEEDED_TIERS,
} from '#domain/withdrawal-limits.ts';

const ETH_PRICE = { referenceMinorPerUnit: 312_345n, ageMs: 0 };
const NO_USAGE = { used24hReferenceMinor: 0n, used30dReferenceMinor: 0n, assetUsed24hMinor: 0n, requestsInWindow: 0 };

test('a worth is rounded up, so that no fraction passes a limit', () => {
  expect(referenceValueOf(10n ** 18n, 18, ETH_PRICE)).toBe(312_345n);
  expect(referenceValueOf(10n ** 18n + 1n, 18, ETH_PRICE)).toBe(312_346n);
  expect(referenceValueOf(1n, 18, ETH_PRICE)).toBe(1n);
  expect(referenceValueOf(0n, 18, ETH_PRICE)).toBe(0n);
});

test('what is left of a limit, as an amount, is never worth more than the limit', () => {
  const price = fc
    .bigInt({ min: 1n, max: 10n ** 12n })
    .map((referenceMinorPerUnit) => ({ referenceMinorPerUnit, ageMs: 0 }));
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 15n }),
      fc.integer({ min: 0, max: 18 }),
      price,
      (left, decimals, one) => {
        const amount = amountWorth(left, decimals, one);
        expect(referenceValueOf(amount, decimals, one)).toBeLessThanOrEqual(left);
        expect(referenceValueOf(amount + 1n, decimals, one)).toBeGreaterThanOrEqual(left);
      },
    ),
  );
  expect(amountWorth(-5n, 6, ETH_PRICE)).toBe(0n);
});

test('LE09: of requests counted one after the other, those accepted without a person never pass the limit', () => {
  const rules = { ...SEEDED_TIERS.standard, autoLimit24hReferenceMinor: 100n };
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 60n })), (values) => {
      let used = 0n;
      for (const value of values) {
        const request = { totalMinor: value, valueReferenceMinor: value };
        const verdict = compareWithLimits(request, rules, { ...NO_USAGE, used24hReferenceMinor: used });
        if (verdict.kind === 'within') used += value;
      }
      expect(used).toBeLessThanOrEqual(100n);
    }),
  );
});

test('the hard limit refuses, the smallest unit above it and not at it; a tier without one never does', () => {
  const at = (valueReferenceMinor: bigint, rules = SEEDED_TIERS.standard) =>
    compareWithLimits({ totalMinor: 1n, valueReferenceMinor }, rules, NO_USAGE).kind;
  const hard = 200_000n * 10n ** BigInt(REFERENCE_DECIMALS);
  expect(at(hard)).toBe('needs_approval');
  expect(at(hard + 1n)).toBe('exceeded');
  expect(at(hard + 1n, SEEDED_TIERS.verified)).toBe('needs_approval');
});
