import type { Statement } from '#server/db/database.ts';

/** Every pair of asset and network, and what the asset is worth: a dozen rows, read once in a few seconds by each process. */
export const findAssetPairsSql: Statement = {
  name: 'find_asset_pairs',
  text: `
    select a.id as asset_id, a.name as asset_name, a.decimals, n.id as network_id, n.name as network_name, n.family,
      n.confirmations_required, n.explorer_transaction_template, p.contract, p.minimum_minor, p.fee_minor, p.memo_rule,
      p.enabled, q.reference_minor_per_unit, (extract(epoch from protocol_now() - q.as_of) * 1000)::float8 as price_age_ms
    from asset_networks p join assets a on a.id = p.asset_id join networks n on n.id = p.network_id
    left join prices q on q.asset_id = p.asset_id
    order by a.id, n.id`,
};
