import { formatAmount, fromMinorText } from '#domain/money.ts';
import { REFERENCE_DECIMALS } from '#domain/withdrawal-limits.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** Limits in whole units of the reference currency; null for none. */
export interface ShownTier {
  tierId: string;
  name: string;
  autoLimit24h: string;
  autoLimit30d: string;
  secondApproval: string;
  hardLimit24h: string | null;
  newAddressAuto: string | null;
  velocityMax: number;
  velocityWindowSeconds: number;
  breakerRequestsMax: number;
}

/** Every tier, the tightest first. */
export async function findTiers(deps: { db: Db }): Promise<readonly ShownTier[]> {
  const rows = await deps.db.query<TierRow>(findTiersSql, []);
  return rows.map((row) => ({
    tierId: row.id,
    name: row.name,
    autoLimit24h: show(row.auto_24h),
    autoLimit30d: show(row.auto_30d),
    secondApproval: show(row.second),
    hardLimit24h: row.hard === null ? null : show(row.hard),
    newAddressAuto: row.new_address === null ? null : show(row.new_address),
    velocityMax: row.velocity_max,
    velocityWindowSeconds: row.window_seconds,
    breakerRequestsMax: row.breaker_requests_max,
  }));
}

function show(minor: string): string {
  return formatAmount(fromMinorText(minor), REFERENCE_DECIMALS);
}

interface TierRow {
  readonly id: string;
  readonly name: string;
  readonly auto_24h: string;
  readonly auto_30d: string;
  readonly second: string;
  readonly hard: string | null;
  readonly new_address: string | null;
  readonly velocity_max: number;
  readonly window_seconds: number;
  readonly breaker_requests_max: number;
}

const findTiersSql: Statement = {
  name: 'find_tiers',
  text: `
    select t.id, t.name, t.auto_limit_24h_reference_minor as auto_24h, t.auto_limit_30d_reference_minor as auto_30d,
      t.second_approval_reference_minor as second, t.hard_limit_24h_reference_minor as hard,
      t.new_address_auto_reference_minor as new_address, t.velocity_max, extract(epoch from t.velocity_window)::integer as window_seconds,
      t.breaker_requests_max
    from tiers t order by t.auto_limit_24h_reference_minor, t.id`,
};
