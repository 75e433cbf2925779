import { type Asset, type AssetNetwork, MEMO_RULES, NETWORK_FAMILIES } from '#domain/asset.ts';
import { invariant } from '#domain/invariant.ts';
import type { Price } from '#domain/withdrawal-limits.ts';
import type { Db } from '#server/db/database.ts';
import { findAssetPairsSql } from '#server/sql/find-asset-pairs.sql.ts';
import { toMinor } from '#server/withdrawals/withdrawal-row.ts';

export interface AssetCatalogue {
  readonly assets: readonly Asset[];
  readonly pairs: readonly CataloguePair[];
  /** By asset; an asset that is not in it has no price. */
  readonly prices: ReadonlyMap<string, Price>;
}

export type CataloguePair = AssetNetwork & { readonly networkName: string };

/** What can be withdrawn, and on which terms. */
export async function findAssetCatalogue(deps: { db: Db }): Promise<AssetCatalogue> {
  const rows = await deps.db.query<PairRow>(findAssetPairsSql, []);
  const assets = new Map(
    rows.map((row) => [row.asset_id, { id: row.asset_id, name: row.asset_name, decimals: row.decimals }]),
  );
  const prices = new Map(
    rows.flatMap(({ asset_id: assetId, reference_minor_per_unit: price, price_age_ms: ageMs }) =>
      price === null || ageMs === null ? [] : [[assetId, { referenceMinorPerUnit: toMinor(price), ageMs }] as const],
    ),
  );
  return { assets: [...assets.values()], pairs: rows.map(toPair), prices };
}

interface PairRow {
  readonly asset_id: string;
  readonly asset_name: string;
  readonly decimals: number;
  readonly network_id: string;
  readonly network_name: string;
  readonly family: string;
  readonly confirmations_required: number;
  readonly explorer_transaction_template: string;
  readonly contract: string | null;
  readonly minimum_minor: string;
  readonly fee_minor: string;
  readonly memo_rule: string;
  readonly enabled: boolean;
  readonly reference_minor_per_unit: string | null;
  readonly price_age_ms: number | null;
}

function toPair(row: PairRow): CataloguePair {
  const family = NETWORK_FAMILIES.find((name) => name === row.family);
  const memoRule = MEMO_RULES.find((name) => name === row.memo_rule);
  invariant(family !== undefined && memoRule !== undefined, 'networks_family and asset_networks_memo_rule');
  return {
    assetId: row.asset_id,
    networkId: row.network_id,
    networkName: row.network_name,
    family,
    contract: row.contract,
    minimumMinor: toMinor(row.minimum_minor),
    feeMinor: toMinor(row.fee_minor),
    confirmationsRequired: row.confirmations_required,
    memoRule,
    explorerTransactionTemplate: row.explorer_transaction_template,
    enabled: row.enabled,
  };
}
