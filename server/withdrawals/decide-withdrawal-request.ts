import { MINOR_MAX } from '#domain/money.ts';
import { REFUSALS, type Refusal } from '#domain/refusal.ts';
import { type AppliedFee, applyFee } from '#domain/withdrawal-fee.ts';
import { type ApprovalReason, decideRequest, type RequestFacts } from '#domain/withdrawal-policy.ts';
import type { AssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import type { ReadRequest } from '#server/withdrawals/read-withdrawal-request.ts';

export type Verdict =
  /** Nothing is kept: the same key may be sent again, corrected. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The database decides under the customer's lock, or keeps `refusal` under the key if there is one already. */
  | {
      readonly kind: 'to_database';
      readonly fee: AppliedFee;
      readonly refusal: Refusal | null;
      /** What the request counts in the reference currency; null without a price. */
      readonly valueReferenceMinor: bigint | null;
      /** Why a person must look, as far as prices tell; the counters under the lock may add to it. */
      readonly reasons: readonly ApprovalReason[];
    };

/**
 * Puts a request that was read before the policy. What only the customer's lock makes true (freeze, switches, address
 * book, balance, look-alikes, limits) is handed over as "fine" here: the accepting statement reads it where nobody can change it.
 */
export function decideWithdrawalRequest(request: ReadRequest, catalogue: AssetCatalogue): Verdict {
  const { pair, meaning } = request;
  const decision = decideRequest({
    ...FINE_UNTIL_LOCKED,
    asset: request.asset,
    pair,
    requestedMinor: meaning.amountMinor,
    feeMode: meaning.feeMode,
    quotedFeeMinor: request.quotedFeeMinor ?? pair.feeMinor,
    price: catalogue.prices.get(request.asset.id) ?? null,
    destination: {
      isTokenContract: isTokenContract(meaning.address, pair.networkId, catalogue),
      isOurs: false,
      book: 'unlisted',
      isNew: false,
    },
  });
  if (decision.kind === 'accepted') {
    const { fee, valueReferenceMinor, needsApproval: reasons } = decision;
    return { kind: 'to_database', fee, refusal: null, valueReferenceMinor, reasons };
  }
  const split = applyFee({ requestedMinor: meaning.amountMinor, feeMinor: pair.feeMinor, feeMode: meaning.feeMode });
  if (!REFUSALS[decision.refusal.code].stored || split.kind === 'refused') return decision;
  const { fee } = split;
  return { kind: 'to_database', fee, refusal: decision.refusal, valueReferenceMinor: null, reasons: [] };
}

/** Contracts of tokens keep no record of whose coins were sent to them. */
function isTokenContract(address: string, networkId: string, catalogue: AssetCatalogue): boolean {
  return catalogue.pairs.some(
    (pair) => pair.networkId === networkId && pair.contract?.toLowerCase() === address.toLowerCase(),
  );
}

const FINE_UNTIL_LOCKED = {
  pauses: [],
  customerFrozen: false,
  securityChangedRecently: false,
  approvalSwitch: false,
  unnamedLookAlike: false,
  availableMinor: MINOR_MAX,
  // Compared with the customer's counters under the lock: here every number is beyond any amount.
  limits: {
    autoLimit24hReferenceMinor: MINOR_MAX,
    autoLimit30dReferenceMinor: MINOR_MAX,
    secondApprovalReferenceMinor: MINOR_MAX,
    hardLimit24hReferenceMinor: null,
    assetCap24hMinor: null,
    newAddressAutoReferenceMinor: null,
    velocityMax: Number.MAX_SAFE_INTEGER,
  },
  usage: {
    used24hReferenceMinor: 0n,
    used30dReferenceMinor: 0n,
    assetUsed24hMinor: 0n,
    requestsInWindow: 0,
  },
} as const satisfies Partial<RequestFacts>;
