import type { Db, Statement } from '#server/db/database.ts';

/**
 * The demo's price feed: says once more what each seeded asset is worth. A price that an operator set is left to age. Of two
 * feeders the second finds nothing old enough.
 *
 * @returns how many prices are fresh now that were not before
 */
export async function feedDemoPrices(deps: { db: Db }): Promise<{ fed: number }> {
  const fed = await deps.db.query(feedDemoPricesSql, []);
  return { fed: fed.length };
}

const feedDemoPricesSql: Statement = {
  name: 'feed_demo_prices',
  text: `
    update prices set as_of = protocol_now(), source = 'demo feed'
    where source in ('seed', 'demo feed') and as_of < protocol_now() - interval '1 minute' returning asset_id`,
};
