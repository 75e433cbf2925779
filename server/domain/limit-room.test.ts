import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findLimitRoom, type RoomFacts } from '#domain/limit-room.ts';
import { compareWithLimits, PRICE_STALE_AFTER_MS, referenceValueOf, SEEDED_TIERS } from '#domain/withdrawal-limits.ts';

const DOLLAR = 100_000_000n;
const FACTS: RoomFacts = {
  decimals: 6,
  rules: SEEDED_TIERS.standard,
  usage: {
    used24hReferenceMinor: 4_000n * DOLLAR,
    used30dReferenceMinor: 99_000n * DOLLAR,
    assetUsed24hMinor: 0n,
    requestsInWindow: 3,
  },
  price: { referenceMinorPerUnit: 2n * DOLLAR, ageMs: 0 },
  securityChangedRecently: false,
  approvalSwitch: false,
};

test('the tightest limit says how much needs nobody, and each is shown by itself', () => {
  expect(findLimitRoom(FACTS)).toEqual({
    left24hReferenceMinor: 6_000n * DOLLAR,
    left30dReferenceMinor: 1_000n * DOLLAR,
    assetCapLeftMinor: null,
    withoutApprovalMinor: 500_000_000n,
    toNewAddressMinor: 500_000_000n,
    acceptedMinor: 98_000_000_000n,
    standingReasons: [],
  });
});

test.each<[string, Partial<RoomFacts>]>([
  ['limit_24h', { usage: { ...FACTS.usage, used24hReferenceMinor: 10_000n * DOLLAR } }],
  ['limit_30d', { usage: { ...FACTS.usage, used30dReferenceMinor: 100_000n * DOLLAR } }],
  ['asset_cap', { rules: { ...FACTS.rules, assetCap24hMinor: 7n }, usage: { ...FACTS.usage, assetUsed24hMinor: 8n } }],
  ['velocity', { usage: { ...FACTS.usage, requestsInWindow: 20 } }],
  ['security_change', { securityChangedRecently: true }],
  ['approval_switch', { approvalSwitch: true }],
  ['price_stale', { price: { referenceMinorPerUnit: 1n, ageMs: PRICE_STALE_AFTER_MS + 1 } }],
  ['price_missing', { price: null }],
])('%s sends every request to a person, and is said beforehand', (reason, change) => {
  const room = findLimitRoom({ ...FACTS, ...change });
  expect(room.standingReasons).toEqual([reason]);
  expect(room.withoutApprovalMinor).toBe(0n);
});

test('what is said to need nobody is within the limits, and one unit more is not: any rules, any usage', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const cases = fc.record({
    decimals: fc.integer({ min: 0, max: 18 }),
    perUnit: amount,
    limits: fc.tuple(amount, amount, amount, fc.option(amount), fc.option(amount)),
    used: fc.tuple(amount, amount, amount),
  });
  fc.assert(
    fc.property(cases, ({ decimals, perUnit, limits, used }) => {
      const rules = {
        ...SEEDED_TIERS.institution,
        autoLimit24hReferenceMinor: limits[0],
        autoLimit30dReferenceMinor: limits[1],
        secondApprovalReferenceMinor: limits[2],
        hardLimit24hReferenceMinor: limits[3],
        assetCap24hMinor: limits[4],
      };
      const usage = {
        used24hReferenceMinor: used[0],
        used30dReferenceMinor: used[1],
        assetUsed24hMinor: used[2],
        requestsInWindow: 0,
      };
      const price = { referenceMinorPerUnit: perUnit, ageMs: 0 };
      const room = findLimitRoom({ ...FACTS, decimals, rules, usage, price });
      const verdict = (totalMinor: bigint) =>
        compareWithLimits(
          { totalMinor, valueReferenceMinor: referenceValueOf(totalMinor, decimals, price) },
          rules,
          usage,
        ).kind;
      const { withoutApprovalMinor: free, acceptedMinor } = room;
      // The hard limit may be the tighter one; then it is the one that is passed.
      if (free > 0n && (acceptedMinor === null || free <= acceptedMinor)) expect(verdict(free)).toBe('within');
      expect(verdict(free + 1n)).not.toBe('within');
      if (acceptedMinor === null) return;
      if (acceptedMinor > 0n) expect(verdict(acceptedMinor)).not.toBe('exceeded');
      expect(verdict(acceptedMinor + 1n)).toBe('exceeded');
    }),
    { numRuns: 500 },
  );
});
