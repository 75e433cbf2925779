import type { Asset, AssetNetwork } from '#domain/asset.ts';
import { type Refusal, type RefusalCode, refuse } from '#domain/refusal.ts';
import { type AppliedFee, applyFee, type FeeMode } from '#domain/withdrawal-fee.ts';
import {
  compareWithLimits,
  type LimitReason,
  type LimitRules,
  type LimitUsage,
  PRICE_STALE_AFTER_MS,
  type Price,
  referenceValueOf,
} from '#domain/withdrawal-limits.ts';

/** Everything a decision about a request reads. What is counted here is counted again under the customer's lock. */
export interface RequestFacts {
  /** Null where nobody knows the asset or the network. */
  readonly asset: Asset | null;
  readonly pair: AssetNetwork | null;
  readonly requestedMinor: bigint;
  readonly feeMode: FeeMode;
  /** The fee the customer was shown. */
  readonly quotedFeeMinor: bigint;
  readonly destination: DestinationFacts;
  /** The open switches that apply to this request. */
  readonly pauses: readonly ('all' | 'asset' | 'network' | 'customer')[];
  /** Frozen by an operator, or for a time after a password or second factor was changed. */
  readonly customerFrozen: boolean;
  /** Security was changed not long ago: no freeze any more, but a person looks. */
  readonly securityChangedRecently: boolean;
  /** An operator wants to see every request of this pair or customer. */
  readonly approvalSwitch: boolean;
  /** The same address, asset and amount was asked for a few minutes ago, and this request does not name it. */
  readonly unnamedLookAlike: boolean;
  readonly availableMinor: bigint;
  readonly limits: LimitRules;
  readonly usage: LimitUsage;
  /** Null where there is none for this asset. */
  readonly price: Price | null;
}

export interface DestinationFacts {
  readonly isTokenContract: boolean;
  /** A deposit address or wallet of ours. */
  readonly isOurs: boolean;
  /** By the customer's address book; `unlisted` where the customer allows any address and this one is not in the book. */
  readonly book: 'usable' | 'on_hold' | 'not_allowed' | 'unlisted';
  /** Never paid to before by this customer. */
  readonly isNew: boolean;
}

export type ApprovalReason =
  | LimitReason
  | 'new_address'
  | 'security_change'
  | 'approval_switch'
  | 'price_stale'
  | 'price_missing';

export interface AcceptedRequest {
  readonly kind: 'accepted';
  readonly fee: AppliedFee;
  /** Empty: it goes to the queue. Otherwise it waits, for these reasons. */
  readonly needsApproval: readonly ApprovalReason[];
  readonly approvalsRequired: 0 | 1 | 2;
  /** What the request counts in the reference currency; null without a price. */
  readonly valueReferenceMinor: bigint | null;
}

export type RequestDecision = { readonly kind: 'refused'; readonly refusal: Refusal } | AcceptedRequest;

/**
 * Whether a request is accepted, and who must look at it first. Guards in order of precedence: what can never be right,
 * then what is kept under the key as a refusal, then what only a person may let through.
 */
export function decideRequest(facts: RequestFacts): RequestDecision {
  const { asset, pair, destination } = facts;
  if (asset === null) return refused('asset_unknown', 'asset');
  if (pair === null) return refused('network_unknown', 'network');
  const split = applyFee({ ...facts, feeMinor: pair.feeMinor });
  if (split.kind === 'refused') return split;
  const { fee } = split;
  if (fee.amountMinor < pair.minimumMinor) return refused('amount_below_minimum', 'amount');
  if (destination.isTokenContract) return refused('address_token_contract', 'address');
  if (destination.isOurs) return refused('address_own_deposit', 'address');
  if (facts.customerFrozen) return refused('customer_frozen');
  if (!pair.enabled) return refused('pair_disabled', 'network');
  if (facts.pauses.length > 0) return refused('pair_paused');
  if (destination.book === 'not_allowed') return refused('address_not_allowed', 'address');
  if (destination.book === 'on_hold') return refused('address_on_hold', 'address');
  if (facts.quotedFeeMinor !== pair.feeMinor) return refused('fee_changed', 'fee');
  if (facts.unnamedLookAlike) return refused('look_alike');
  if (facts.availableMinor < fee.totalMinor) return refused('insufficient_funds', 'amount');
  return decideLimits(facts, asset, fee);
}

function decideLimits(facts: RequestFacts, asset: Asset, fee: AppliedFee): RequestDecision {
  const { price, limits, usage } = facts;
  const value = price === null ? null : referenceValueOf(fee.totalMinor, asset.decimals, price);
  const verdict = compareWithLimits({ totalMinor: fee.totalMinor, valueReferenceMinor: value }, limits, usage);
  if (verdict.kind === 'exceeded') return refused('limit_exceeded', 'amount');
  const needsApproval: readonly ApprovalReason[] = [
    ...(verdict.kind === 'needs_approval' ? verdict.reasons : []),
    ...otherReasons(facts, value),
  ];
  return {
    kind: 'accepted',
    fee,
    needsApproval,
    approvalsRequired: approvalsFor(needsApproval),
    valueReferenceMinor: value,
  };
}

function otherReasons(facts: RequestFacts, value: bigint | null): readonly ApprovalReason[] {
  const { destination, limits } = facts;
  const most = limits.newAddressAutoReferenceMinor;
  const isLargeToNew = destination.isNew && most !== null && (value === null || value > most);
  // An address that waited out its hold in the book was new for long enough.
  const isNewToUs = isLargeToNew && destination.book !== 'usable';
  return [...(isNewToUs ? (['new_address'] as const) : []), ...standingReasons(facts)];
}

/** Why a person looks at a request whatever its amount and address. */
export function standingReasons(
  facts: Pick<RequestFacts, 'securityChangedRecently' | 'approvalSwitch' | 'price'>,
): readonly ApprovalReason[] {
  const { price } = facts;
  const applies: readonly (readonly [ApprovalReason, boolean])[] = [
    ['security_change', facts.securityChangedRecently],
    ['approval_switch', facts.approvalSwitch],
    // Without a fresh price no limit can be trusted, and the cautious answer is a person, not a refusal.
    ['price_stale', price !== null && price.ageMs > PRICE_STALE_AFTER_MS],
    ['price_missing', price === null],
  ];
  return applies.filter(([, isTrue]) => isTrue).map(([reason]) => reason);
}

function approvalsFor(reasons: readonly ApprovalReason[]): 0 | 1 | 2 {
  if (reasons.length === 0) return 0;
  return reasons.includes('second_approval') || reasons.includes('price_missing') ? 2 : 1;
}

function refused(code: RefusalCode, field?: string): RequestDecision {
  return { kind: 'refused', refusal: refuse(code, field === undefined ? {} : { fields: [field] }) };
}
