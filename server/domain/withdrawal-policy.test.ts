import { describe, expect, test } from 'vitest';
import { findAsset, findAssetNetwork, SEEDED_ASSET_NETWORKS, SEEDED_ASSETS } from '#domain/asset.ts';
import { PRICE_STALE_AFTER_MS, SEEDED_TIERS } from '#domain/withdrawal-limits.ts';
import { decideRequest, type RequestFacts } from '#domain/withdrawal-policy.ts';

const PAIR = findAssetNetwork(SEEDED_ASSET_NETWORKS, 'USDC', 'ethereum');
const LIMITS = SEEDED_TIERS.standard;

// 100 USDC at one dollar, to an address in the book, with 1,000 USDC available.
const FACTS: RequestFacts = {
  asset: findAsset(SEEDED_ASSETS, 'USDC'),
  pair: PAIR,
  requestedMinor: 100_000_000n,
  feeMode: 'on_top',
  quotedFeeMinor: PAIR?.feeMinor ?? 0n,
  destination: { isTokenContract: false, isOurs: false, book: 'usable', isNew: false },
  pauses: [],
  customerFrozen: false,
  securityChangedRecently: false,
  approvalSwitch: false,
  unnamedLookAlike: false,
  availableMinor: 1_000_000_000n,
  limits: LIMITS,
  usage: { used24hReferenceMinor: 0n, used30dReferenceMinor: 0n, assetUsed24hMinor: 0n, requestsInWindow: 0 },
  price: { referenceMinorPerUnit: 100_000_000n, ageMs: 0 },
};

function verdict(change: Partial<RequestFacts>): string {
  const decision = decideRequest({ ...FACTS, ...change });
  if (decision.kind === 'refused') return decision.refusal.code;
  return decision.needsApproval.length === 0
    ? 'accepted'
    : `${decision.approvalsRequired}: ${decision.needsApproval.join(' ')}`;
}

const destination = (change: Partial<RequestFacts['destination']>) => ({
  destination: { ...FACTS.destination, ...change },
});
const pair = (change: Partial<NonNullable<RequestFacts['pair']>>) => ({
  pair: PAIR === null ? null : { ...PAIR, ...change },
});
const usage = (change: Partial<RequestFacts['usage']>) => ({ usage: { ...FACTS.usage, ...change } });

test('an ordinary request goes to the queue with exactly its fee', () => {
  expect(decideRequest(FACTS)).toMatchObject({
    kind: 'accepted',
    fee: { amountMinor: 100_000_000n, feeMinor: 500_000n, totalMinor: 100_500_000n },
    needsApproval: [],
    approvalsRequired: 0,
    valueReferenceMinor: 10_050_000_000n,
  });
});

describe('what is refused', () => {
  test.each<[string, Partial<RequestFacts>]>([
    ['asset_unknown', { asset: null }],
    ['network_unknown', { pair: null }],
    ['amount_not_positive', { requestedMinor: 0n }],
    ['amount_below_minimum', { requestedMinor: 999_999n }],
    ['amount_below_fee', { requestedMinor: 500_000n, feeMode: 'from_amount' }],
    ['amount_below_minimum', { requestedMinor: 1_499_999n, feeMode: 'from_amount' }],
    ['address_token_contract', destination({ isTokenContract: true })],
    ['address_own_deposit', destination({ isOurs: true })],
    ['customer_frozen', { customerFrozen: true }],
    ['pair_disabled', pair({ enabled: false })],
    ['pair_paused', { pauses: ['asset'] }],
    ['address_not_allowed', destination({ book: 'not_allowed' })],
    ['address_on_hold', destination({ book: 'on_hold' })],
    ['fee_changed', { quotedFeeMinor: 499_999n }],
    ['look_alike', { unnamedLookAlike: true }],
    ['insufficient_funds', { availableMinor: 100_499_999n }],
    ['limit_exceeded', { requestedMinor: 200_000_000_000n, availableMinor: 10n ** 15n }],
  ])('%s', (code, change) => {
    expect(verdict(change)).toBe(code);
  });

  test('at the edge it is accepted', () => {
    expect(verdict({ requestedMinor: 1_000_000n })).toBe('accepted');
    expect(verdict({ requestedMinor: 1_500_000n, feeMode: 'from_amount' })).toBe('accepted');
    expect(verdict({ availableMinor: 100_500_000n })).toBe('accepted');
    expect(verdict({ availableMinor: 100_000_000n, feeMode: 'from_amount' })).toBe('accepted');
  });

  test('the first reason in order of precedence is the one that is said', () => {
    const everything = {
      ...destination({ isOurs: true }),
      customerFrozen: true,
      unnamedLookAlike: true,
      availableMinor: 0n,
    };
    expect(verdict({ ...everything, asset: null })).toBe('asset_unknown');
    expect(verdict(everything)).toBe('address_own_deposit');
    expect(verdict({ ...everything, ...destination({}) })).toBe('customer_frozen');
    expect(verdict({ unnamedLookAlike: true, availableMinor: 0n })).toBe('look_alike');
  });
});

describe('what a person must see', () => {
  test.each<[string, string, Partial<RequestFacts>]>([
    ['exactly the 24-hour limit', 'accepted', usage({ used24hReferenceMinor: 989_950_000_000n })],
    ['the smallest unit over it', '1: limit_24h', usage({ used24hReferenceMinor: 989_950_000_001n })],
    ['exactly the 30-day limit', 'accepted', usage({ used30dReferenceMinor: 9_989_950_000_000n })],
    ['the smallest unit over it', '1: limit_30d', usage({ used30dReferenceMinor: 9_989_950_000_001n })],
    ['the last request of the window', 'accepted', usage({ requestsInWindow: 19 })],
    ['one more', '1: velocity', usage({ requestsInWindow: 20 })],
    ['a new address, little money', 'accepted', destination({ isNew: true, book: 'unlisted' })],
    [
      'a new address that waited in the book',
      'accepted',
      { ...destination({ isNew: true }), requestedMinor: 900_000_000n, availableMinor: 10n ** 12n },
    ],
    ['a security change not long ago', '1: security_change', { securityChangedRecently: true }],
    ['an operator’s switch', '1: approval_switch', { approvalSwitch: true }],
    ['a price just fresh', 'accepted', { price: { referenceMinorPerUnit: 100_000_000n, ageMs: PRICE_STALE_AFTER_MS } }],
    [
      'a stale price',
      '1: price_stale',
      { price: { referenceMinorPerUnit: 100_000_000n, ageMs: PRICE_STALE_AFTER_MS + 1 } },
    ],
    ['no price', '2: price_missing', { price: null }],
  ])('%s: %s', (_name, expected, change) => {
    expect(verdict(change)).toBe(expected);
  });

  test('much money to a new address, to the smallest unit', () => {
    const much = (requestedMinor: bigint) =>
      verdict({ ...destination({ isNew: true, book: 'unlisted' }), requestedMinor, availableMinor: 10n ** 12n });
    expect(much(999_500_000n)).toBe('accepted');
    expect(much(999_500_001n)).toBe('1: new_address');
  });

  test('above the second limit two people must agree', () => {
    const big = (requestedMinor: bigint) => verdict({ requestedMinor, availableMinor: 10n ** 12n });
    expect(big(49_999_500_000n)).toBe('1: limit_24h');
    expect(big(49_999_500_001n)).toBe('2: limit_24h second_approval');
  });

  test('an asset’s own cap counts in its own units', () => {
    const limits = { ...LIMITS, assetCap24hMinor: 300_000_000n };
    expect(verdict({ limits, ...usage({ assetUsed24hMinor: 199_500_000n }) })).toBe('accepted');
    expect(verdict({ limits, ...usage({ assetUsed24hMinor: 199_500_001n }) })).toBe('1: asset_cap');
  });

  test('without a price the caps that need none still hold', () => {
    expect(verdict({ price: null, ...usage({ requestsInWindow: 20 }) })).toBe('2: velocity price_missing');
  });
});
