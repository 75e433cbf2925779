import { formatAmount, fromMinorText } from '#domain/money.ts';
import { PRICE_STALE_AFTER_MS, REFERENCE_DECIMALS } from '#domain/withdrawal-limits.ts';
import type { Db, Statement } from '#server/db/database.ts';

export interface ShownPrice {
  assetId: string;
  /** In the reference currency; null where there is none. */
  price: string | null;
  asOf: string | null;
  source: string | null;
  ageSeconds: number | null;
  /** Too old, or missing: requests of this asset wait for a person. */
  stale: boolean;
}

/** Every asset with its price and how old it is. */
export async function findPrices(deps: { db: Db }): Promise<readonly ShownPrice[]> {
  const rows = await deps.db.query<PriceRow>(findPricesSql, []);
  return rows.map((row) => ({
    assetId: row.id,
    price: row.price === null ? null : formatAmount(fromMinorText(row.price), REFERENCE_DECIMALS),
    asOf: row.as_of?.toISOString() ?? null,
    source: row.source,
    ageSeconds: row.age_seconds,
    stale: row.age_seconds === null || row.age_seconds * 1000 > PRICE_STALE_AFTER_MS,
  }));
}

interface PriceRow {
  readonly id: string;
  readonly price: string | null;
  readonly as_of: Date | null;
  readonly source: string | null;
  readonly age_seconds: number | null;
}

const findPricesSql: Statement = {
  name: 'find_prices',
  text: `
    select a.id, p.reference_minor_per_unit as price, p.as_of, p.source, extract(epoch from protocol_now() - p.as_of)::integer as age_seconds
    from assets a left join prices p on p.asset_id = a.id order by a.id`,
};
