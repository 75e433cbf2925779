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
  /** What somebody proposed within the last ten minutes and nobody has confirmed. */
  proposal: { proposalId: string; price: string; proposedBy: string; proposedByName: string } | null;
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
    proposal:
      row.proposal === null
        ? null
        : { ...row.proposal, price: formatAmount(fromMinorText(row.proposal.price), REFERENCE_DECIMALS) },
    stale: row.age_seconds === null || row.age_seconds * 1000 > PRICE_STALE_AFTER_MS,
  }));
}

interface PriceRow {
  readonly id: string;
  readonly price: string | null;
  readonly as_of: Date | null;
  readonly source: string | null;
  readonly age_seconds: number | null;
  /** Its price as minor units. */
  readonly proposal: ShownPrice['proposal'];
}

const findPricesSql: Statement = {
  name: 'find_prices',
  text: `
    select a.id, p.reference_minor_per_unit as price, p.as_of, p.source, extract(epoch from protocol_now() - p.as_of)::integer as age_seconds,
      (select json_build_object('proposalId', o.id, 'price', o.reference_minor_per_unit::text, 'proposedBy', o.proposed_by, 'proposedByName', u.name)
        from price_proposals o join users u on u.id = o.proposed_by
        where o.asset_id = a.id and o.confirmed_at is null and o.proposed_at > protocol_now() - interval '10 minutes'
          and not exists (select 1 from price_proposals n where n.asset_id = a.id and n.confirmed_at > o.proposed_at)
        order by o.proposed_at desc limit 1) as proposal
    from assets a left join prices p on p.asset_id = a.id order by a.id`,
};
