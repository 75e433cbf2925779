import { type BreakerFacts, type BreakerLimits, type BreakerTrip, findBreakerTrips } from '#domain/breaker.ts';
import { fromMinorText } from '#domain/money.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { pausePayouts } from '#server/switches/pause-payouts.ts';

/**
 * Looks at what customers and assets do, and pauses what runs wild: a customer for velocity, an asset for a deficit or for too
 * much in doubt. A pause that people ended is not made again for the same reason within ten minutes, or nobody could resume.
 *
 * @param input.deficits assets whose books or wallet hold less than they must, by asset in minor units above zero
 * @returns what was paused now
 */
export async function tripBreaker(
  deps: { db: Database },
  input: { deficits: ReadonlyMap<string, bigint> },
): Promise<readonly BreakerTrip[]> {
  const [customers, assets, resumed] = await Promise.all([
    deps.db.query<CustomerRow>(findFastCustomersSql, []),
    deps.db.query<AssetRow>(findAssetsAtRiskSql, []),
    deps.db.query<{ scope: string; target: string; reason: string }>(findLatelyResumedSql, []),
  ]);
  const paused: BreakerTrip[] = [];
  for (const trip of [...tripsOfCustomers(customers), ...tripsOfAssets(assets, input.deficits)]) {
    const isResumed = resumed.some(
      (one) => one.scope === trip.scope && one.target === trip.target && one.reason === reasonOf(trip),
    );
    if (isResumed) continue;
    const answer = await pausePayouts(deps, { ...trip, reason: reasonOf(trip), actorId: 'breaker', deedId: null });
    if (answer.kind === 'paused') paused.push(trip);
  }
  return paused;
}

function reasonOf(trip: BreakerTrip): string {
  return `breaker: ${trip.reason}`;
}

/** Each tier has a limit of its own, so each customer is a case of the domain's. */
function tripsOfCustomers(rows: readonly CustomerRow[]): readonly BreakerTrip[] {
  return rows.flatMap((row) =>
    findBreakerTrips(
      { customers: [{ customerId: row.customer_id, requestsInWindow: row.requests }], assets: [] },
      { requestsInWindowMax: row.requests_max, atRiskMaxMinor: new Map() },
    ),
  );
}

function tripsOfAssets(rows: readonly AssetRow[], deficits: ReadonlyMap<string, bigint>): readonly BreakerTrip[] {
  const facts: BreakerFacts = {
    customers: [],
    assets: rows.map((row) => {
      const deficit = deficits.get(row.asset_id);
      return {
        assetId: row.asset_id,
        atRiskMinor: fromMinorText(row.at_risk),
        custodyLessBooksMinor: deficit === undefined ? null : -deficit,
      };
    }),
  };
  const limits: BreakerLimits = {
    requestsInWindowMax: 0,
    atRiskMaxMinor: new Map(
      rows.flatMap((row) => (row.at_risk_max === null ? [] : [[row.asset_id, fromMinorText(row.at_risk_max)]])),
    ),
  };
  return findBreakerTrips(facts, limits);
}

interface CustomerRow {
  readonly customer_id: string;
  readonly requests: number;
  readonly requests_max: number;
}

interface AssetRow {
  readonly asset_id: string;
  readonly at_risk: string;
  readonly at_risk_max: string | null;
}

/** Refused requests count too: a script that is refused a thousand times is a script. */
const findFastCustomersSql: Statement = {
  name: 'find_fast_customers',
  text: `
    select c.id as customer_id, r.requests, t.breaker_requests_max as requests_max
    from (select w.customer_id, count(*)::integer as requests from withdrawals w
      where w.requested_at > protocol_now() - interval '10 minutes' group by 1) r
    join customers c on c.id = r.customer_id join tiers t on t.id = c.tier
    where r.requests > t.breaker_requests_max`,
};

const findAssetsAtRiskSql: Statement = {
  name: 'find_assets_at_risk',
  text: `
    select a.id as asset_id, a.at_risk_max_minor as at_risk_max, coalesce((select sum(w.total_minor) from withdrawals w
      where w.asset_id = a.id and w.status in ('awaiting_approval', 'queued', 'dispatching', 'in_doubt', 'submitted', 'broadcast')
        and (w.status = 'in_doubt' or w.parked_at is not null)), 0)::numeric(78, 0) as at_risk
    from assets a order by a.id`,
};

const findLatelyResumedSql: Statement = {
  name: 'find_lately_resumed',
  text: `select scope, target, reason from switches where resumed_at > protocol_now() - interval '10 minutes'`,
};
