/** What the automatic breaker watches. Amounts of one asset in minor units. */
export interface BreakerFacts {
  /** Requests of one customer in the velocity window, refused ones included. */
  readonly customers: readonly { readonly customerId: string; readonly requestsInWindow: number }[];
  readonly assets: readonly {
    readonly assetId: string;
    /** Held by withdrawals that are in doubt or parked: what could be paid twice or never. */
    readonly atRiskMinor: bigint;
    /** What custody says it has, less what our books say: below zero is a deficit. Null where custody was not asked. */
    readonly custodyLessBooksMinor: bigint | null;
  }[];
}

export interface BreakerLimits {
  readonly requestsInWindowMax: number;
  /** By asset; an asset that is not named has no such limit. */
  readonly atRiskMaxMinor: ReadonlyMap<string, bigint>;
}

export type BreakerTrip =
  | { readonly scope: 'customer'; readonly target: string; readonly reason: 'velocity' }
  | { readonly scope: 'asset'; readonly target: string; readonly reason: 'value_at_risk' | 'deficit' };

/**
 * What the breaker pauses, each with its reason. One wild customer pauses that customer and nobody else; an asset pauses
 * for a deficit or for too much in doubt. A surplus pauses nothing: it is a discrepancy for people.
 */
export function findBreakerTrips(facts: BreakerFacts, limits: BreakerLimits): readonly BreakerTrip[] {
  const customers: readonly BreakerTrip[] = facts.customers
    .filter((customer) => customer.requestsInWindow > limits.requestsInWindowMax)
    .map((customer) => ({ scope: 'customer', target: customer.customerId, reason: 'velocity' }));
  const assets = facts.assets.flatMap((asset): readonly BreakerTrip[] => {
    const target = { scope: 'asset', target: asset.assetId } as const;
    const atRiskMaxMinor = limits.atRiskMaxMinor.get(asset.assetId);
    if (asset.custodyLessBooksMinor !== null && asset.custodyLessBooksMinor < 0n) {
      return [{ ...target, reason: 'deficit' }];
    }
    if (atRiskMaxMinor !== undefined && asset.atRiskMinor > atRiskMaxMinor) {
      return [{ ...target, reason: 'value_at_risk' }];
    }
    return [];
  });
  return [...customers, ...assets];
}
