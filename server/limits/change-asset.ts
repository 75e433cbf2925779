import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** The caps of an asset over everybody's tiers, in its minor units; null for none. Decimals never change. */
export interface AssetCaps {
  readonly assetId: string;
  /** A customer asks for more in a rolling 24 hours: a person looks. */
  readonly cap24hMinor: bigint | null;
  /** More than this in doubt or parked pauses the asset. */
  readonly atRiskMaxMinor: bigint | null;
}

/** New caps, from the next request and the breaker's next look on. */
export async function changeAsset(
  deps: { db: Database },
  input: { caps: AssetCaps; actorId: string },
): Promise<{ kind: 'changed' | 'absent' }> {
  const { caps, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [before] = await tx.query<CapsRow>(lockAssetSql, [caps.assetId]);
    if (before === undefined) return { kind: 'absent' };
    const values = [caps.assetId, caps.cap24hMinor?.toString() ?? null, caps.atRiskMaxMinor?.toString() ?? null];
    const [after] = await tx.query<CapsRow>(changeAssetSql, values);
    const change = { before: { ...before }, after: after === undefined ? null : { ...after } };
    await appendAudit({ db: tx }, { actorId, action: 'asset.change', subject: caps.assetId, ...change });
    return { kind: 'changed' };
  });
}

interface CapsRow {
  readonly cap_24h_minor: string | null;
  readonly at_risk_max_minor: string | null;
}

const lockAssetSql: Statement = {
  name: 'lock_asset_caps',
  text: 'select cap_24h_minor, at_risk_max_minor from assets where id = $1 for no key update',
};

const changeAssetSql: Statement = {
  name: 'change_asset_caps',
  text: `
    update assets set cap_24h_minor = $2, at_risk_max_minor = $3 where id = $1
    returning cap_24h_minor, at_risk_max_minor`,
};
