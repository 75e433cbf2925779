import { invariant } from '#domain/invariant.ts';

/** The reference currency is the US dollar with eight decimals, so that a token worth a thousandth of a cent has a price. */
export const REFERENCE_CURRENCY = 'USD';
export const REFERENCE_DECIMALS = 8;

const DOLLAR = 10n ** BigInt(REFERENCE_DECIMALS);

/**
 * The limits of one customer. Money across assets is counted in minor units of the reference currency (see
 * `REFERENCE_DECIMALS`), by the price at the time of each request; what failed, was cancelled or rejected is given back by whoever counts.
 */
export interface LimitRules {
  /** Rolling 24 hours: above it an operator approves. */
  readonly autoLimit24hReferenceMinor: bigint;
  /** Rolling 30 days: above it an operator approves. */
  readonly autoLimit30dReferenceMinor: bigint;
  /** One request worth more than this needs two approvals. */
  readonly secondApprovalReferenceMinor: bigint;
  /** Rolling 24 hours: above it no approval helps, the request is refused. Null for none. */
  readonly hardLimit24hReferenceMinor: bigint | null;
  /** Rolling 24 hours in minor units of the asset: above it an operator approves. Null for none. */
  readonly assetCap24hMinor: bigint | null;
  /** New money to a new address: above it an operator approves. Null for none. */
  readonly newAddressAutoReferenceMinor: bigint | null;
  /** How many requests in the velocity window go without approval. */
  readonly velocityMax: number;
}

/** What was accepted before this request, read under the customer's lock where it decides. */
export interface LimitUsage {
  readonly used24hReferenceMinor: bigint;
  readonly used30dReferenceMinor: bigint;
  readonly assetUsed24hMinor: bigint;
  readonly requestsInWindow: number;
}

/** The tiers that the database begins with; an operator changes them, and sets a customer's. */
export const SEEDED_TIERS: Readonly<Record<'standard' | 'verified' | 'institution', LimitRules>> = {
  standard: {
    autoLimit24hReferenceMinor: 10_000n * DOLLAR,
    autoLimit30dReferenceMinor: 100_000n * DOLLAR,
    secondApprovalReferenceMinor: 50_000n * DOLLAR,
    hardLimit24hReferenceMinor: 200_000n * DOLLAR,
    assetCap24hMinor: null,
    newAddressAutoReferenceMinor: 1_000n * DOLLAR,
    velocityMax: 20,
  },
  verified: {
    autoLimit24hReferenceMinor: 100_000n * DOLLAR,
    autoLimit30dReferenceMinor: 1_000_000n * DOLLAR,
    secondApprovalReferenceMinor: 250_000n * DOLLAR,
    hardLimit24hReferenceMinor: null,
    assetCap24hMinor: null,
    newAddressAutoReferenceMinor: 10_000n * DOLLAR,
    velocityMax: 100,
  },
  institution: {
    autoLimit24hReferenceMinor: 10_000_000n * DOLLAR,
    autoLimit30dReferenceMinor: 100_000_000n * DOLLAR,
    secondApprovalReferenceMinor: 1_000_000n * DOLLAR,
    hardLimit24hReferenceMinor: null,
    assetCap24hMinor: null,
    newAddressAutoReferenceMinor: null,
    velocityMax: 1_000_000,
  },
};

export interface Price {
  /** Minor units of the reference currency for one whole unit of the asset. */
  readonly referenceMinorPerUnit: bigint;
  readonly ageMs: number;
}

/** Ten minutes: a price older than this may hide a move that matters for a limit, so a person looks. */
export const PRICE_STALE_AFTER_MS = 600_000;

/** What an amount is worth in the reference currency, rounded up: a limit is never passed by a fraction. */
export function referenceValueOf(amountMinor: bigint, decimals: number, price: Price): bigint {
  invariant(amountMinor >= 0n && price.referenceMinorPerUnit > 0n, 'amounts and prices are not negative');
  const unit = 10n ** BigInt(decimals);
  return (amountMinor * price.referenceMinorPerUnit + unit - 1n) / unit;
}

/** The largest amount of an asset that is worth no more than this, rounded down. */
export function amountWorth(referenceMinor: bigint, decimals: number, price: Price): bigint {
  if (referenceMinor <= 0n) return 0n;
  return (referenceMinor * 10n ** BigInt(decimals)) / price.referenceMinorPerUnit;
}

export type LimitReason = 'limit_24h' | 'limit_30d' | 'asset_cap' | 'velocity' | 'second_approval';

export type LimitVerdict =
  | { readonly kind: 'within' }
  | { readonly kind: 'needs_approval'; readonly reasons: readonly LimitReason[] }
  | { readonly kind: 'exceeded' };

/**
 * Compares one request with the limits. Exactly at a limit is within it. The accepting SQL makes the same comparisons
 * under the customer's lock, where parallel requests cannot pass it.
 *
 * @param valueReferenceMinor null where there is no price; then only what needs none is compared
 */
export function compareWithLimits(
  request: { readonly totalMinor: bigint; readonly valueReferenceMinor: bigint | null },
  rules: LimitRules,
  usage: LimitUsage,
): LimitVerdict {
  const value = request.valueReferenceMinor ?? 0n;
  const after24h = usage.used24hReferenceMinor + value;
  if (rules.hardLimit24hReferenceMinor !== null && after24h > rules.hardLimit24hReferenceMinor) {
    return { kind: 'exceeded' };
  }
  const cap = rules.assetCap24hMinor;
  const passed: Readonly<Record<LimitReason, boolean>> = {
    limit_24h: after24h > rules.autoLimit24hReferenceMinor,
    limit_30d: usage.used30dReferenceMinor + value > rules.autoLimit30dReferenceMinor,
    asset_cap: cap !== null && usage.assetUsed24hMinor + request.totalMinor > cap,
    velocity: usage.requestsInWindow + 1 > rules.velocityMax,
    second_approval: value > rules.secondApprovalReferenceMinor,
  };
  const order: readonly LimitReason[] = ['limit_24h', 'limit_30d', 'asset_cap', 'velocity', 'second_approval'];
  const reasons = order.filter((reason) => passed[reason]);
  return reasons.length === 0 ? { kind: 'within' } : { kind: 'needs_approval', reasons };
}
