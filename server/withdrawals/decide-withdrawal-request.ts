import { MINOR_MAX } from '#domain/money.ts';
import { REFUSALS, type Refusal } from '#domain/refusal.ts';
import { type AppliedFee, applyFee } from '#domain/withdrawal-fee.ts';
import { decideRequest, type RequestFacts } from '#domain/withdrawal-policy.ts';
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
      readonly needsApproval: boolean;
    };

/**
 * Puts a request that was read before the policy. What only the customer's lock makes true (freeze, switches, balance,
 * look-alikes) is handed over as "fine" here: the accepting statement reads it where nobody can change it.
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
    destination: {
      isTokenContract: isTokenContract(meaning.address, pair.networkId, catalogue),
      isOurs: false,
      book: 'unlisted',
      isNew: false,
    },
  });
  if (decision.kind === 'accepted') {
    const needsApproval = decision.needsApproval.length > 0;
    return { kind: 'to_database', fee: decision.fee, refusal: null, needsApproval };
  }
  const split = applyFee({ requestedMinor: meaning.amountMinor, feeMinor: pair.feeMinor, feeMode: meaning.feeMode });
  if (!REFUSALS[decision.refusal.code].stored || split.kind === 'refused') return decision;
  return { kind: 'to_database', fee: split.fee, refusal: decision.refusal, needsApproval: false };
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
  // No limits are kept yet: every number is beyond any amount, and one price fits all.
  limits: {
    autoLimit24hReferenceMinor: MINOR_MAX,
    autoLimit30dReferenceMinor: MINOR_MAX,
    secondApprovalReferenceMinor: MINOR_MAX,
    hardLimit24hReferenceMinor: null,
    assetCap24hMinor: null,
    velocityMax: Number.MAX_SAFE_INTEGER,
  },
  usage: {
    used24hReferenceMinor: 0n,
    used30dReferenceMinor: 0n,
    assetUsed24hMinor: 0n,
    requestsInWindow: 0,
  },
  price: { referenceMinorPerUnit: 1n, ageMs: 0 },
} as const satisfies Partial<RequestFacts>;
