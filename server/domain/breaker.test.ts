import { expect, test } from 'vitest';
import { type BreakerFacts, findBreakerTrips } from '#domain/breaker.ts';

const LIMITS = { requestsInWindowMax: 10, atRiskMaxMinor: new Map([['USDC', 100n]]) };

function trips(facts: Partial<BreakerFacts>): readonly string[] {
  const found = findBreakerTrips({ customers: [], assets: [], ...facts }, LIMITS);
  return found.map((trip) => `${trip.scope} ${trip.target} ${trip.reason}`);
}

const asset = (atRiskMinor: bigint, custodyLessBooksMinor: bigint | null = 0n, assetId = 'USDC') => ({
  assetId,
  atRiskMinor,
  custodyLessBooksMinor,
});

test('a wild customer pauses alone, above the limit and not at it', () => {
  const customers = [
    { customerId: 'calm', requestsInWindow: 10 },
    { customerId: 'wild', requestsInWindow: 11 },
  ];
  expect(trips({ customers })).toEqual(['customer wild velocity']);
});

test('an asset pauses for too much in doubt, above the limit and not at it', () => {
  expect(trips({ assets: [asset(100n)] })).toEqual([]);
  expect(trips({ assets: [asset(101n)] })).toEqual(['asset USDC value_at_risk']);
  expect(trips({ assets: [asset(101n, 0n, 'ETH')] })).toEqual([]);
});

test('a deficit pauses by a single unit; a surplus and an unasked custody pause nothing', () => {
  expect(trips({ assets: [asset(101n, -1n)] })).toEqual(['asset USDC deficit']);
  expect(trips({ assets: [asset(0n, 1n)] })).toEqual([]);
  expect(trips({ assets: [asset(0n, null)] })).toEqual([]);
});
