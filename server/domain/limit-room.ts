import { compareMinor } from '#domain/money.ts';
import { amountWorth, type LimitRules, type LimitUsage, type Price } from '#domain/withdrawal-limits.ts';
import { type ApprovalReason, standingReasons } from '#domain/withdrawal-policy.ts';

export interface RoomFacts {
  readonly decimals: number;
  readonly rules: LimitRules;
  readonly usage: LimitUsage;
  /** Null where there is none for this asset. */
  readonly price: Price | null;
  readonly securityChangedRecently: boolean;
  readonly approvalSwitch: boolean;
}

/** What the limits leave for the next request. Totals of it, fee included, are in minor units of the asset. */
export interface LimitRoom {
  readonly left24hReferenceMinor: bigint;
  readonly left30dReferenceMinor: bigint;
  /** Null where the asset has no cap. */
  readonly assetCapLeftMinor: bigint | null;
  /** The largest total that no person looks at; zero where a person looks at any. */
  readonly withoutApprovalMinor: bigint;
  /** The largest total without a person to an address that was never paid; null where it makes no difference. */
  readonly toNewAddressMinor: bigint | null;
  /** The largest total that is accepted at all; null where nothing bounds it. */
  readonly acceptedMinor: bigint | null;
  /** Why a person looks at the next request, however small. */
  readonly standingReasons: readonly ApprovalReason[];
}

/**
 * How much may be asked for now, told before it is asked: the same comparisons as `compareWithLimits`, solved for the amount.
 * The accepting call counts again, under the customer's lock.
 */
export function findLimitRoom(facts: RoomFacts): LimitRoom {
  const { rules, usage, price, decimals } = facts;
  const standingReasons = findStandingReasons(facts);
  const left24h = atLeastZero(rules.autoLimit24hReferenceMinor - usage.used24hReferenceMinor);
  const left30d = atLeastZero(rules.autoLimit30dReferenceMinor - usage.used30dReferenceMinor);
  const cap = rules.assetCap24hMinor;
  const assetCapLeftMinor = cap === null ? null : atLeastZero(cap - usage.assetUsed24hMinor);
  const worth = (referenceMinor: bigint) => (price === null ? 0n : amountWorth(referenceMinor, decimals, price));
  const withoutApprovalMinor =
    standingReasons.length > 0
      ? 0n
      : smallest([worth(left24h), worth(left30d), worth(rules.secondApprovalReferenceMinor), assetCapLeftMinor]);
  const hard = rules.hardLimit24hReferenceMinor;
  const toNew = rules.newAddressAutoReferenceMinor;
  return {
    left24hReferenceMinor: left24h,
    left30dReferenceMinor: left30d,
    assetCapLeftMinor,
    withoutApprovalMinor,
    toNewAddressMinor: toNew === null ? null : smallest([withoutApprovalMinor, worth(toNew)]),
    // Without a price a request counts nothing, so nothing bounds it but the two people who look at it.
    acceptedMinor: hard === null || price === null ? null : worth(hard - usage.used24hReferenceMinor),
    standingReasons,
  };
}

/** What the limits have left for the smallest request, and what stands beside them. */
function findStandingReasons(facts: RoomFacts): readonly ApprovalReason[] {
  const { rules, usage } = facts;
  const cap = rules.assetCap24hMinor;
  const passed: readonly (readonly [ApprovalReason, boolean])[] = [
    ['limit_24h', usage.used24hReferenceMinor >= rules.autoLimit24hReferenceMinor],
    ['limit_30d', usage.used30dReferenceMinor >= rules.autoLimit30dReferenceMinor],
    ['asset_cap', cap !== null && usage.assetUsed24hMinor >= cap],
    ['velocity', usage.requestsInWindow + 1 > rules.velocityMax],
  ];
  return [...passed.filter(([, isTrue]) => isTrue).map(([reason]) => reason), ...standingReasons(facts)];
}

function atLeastZero(minor: bigint): bigint {
  return minor > 0n ? minor : 0n;
}

function smallest(amounts: readonly (bigint | null)[]): bigint {
  const known = amounts.filter((amount) => amount !== null);
  return known.reduce((least, amount) => (compareMinor(amount, least) < 0 ? amount : least));
}
