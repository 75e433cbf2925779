import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** The caps of an asset over everybody's tiers, in its minor units; null for none. Decimals never change. */
export interface AssetCaps {
  readonly assetId: string;
  /** A customer asks for more in a rolling 24 hours: a person looks. */
  readonly cap24hMinor: bigint | null;
  /** More than this in doubt or parked pauses the asset. */
  readonly atRiskMaxMinor: bigint | null;
}

/**
 * New caps, from the next request and the breaker's next look on. Narrower at once; wider by a second factor
 * (`assets_wider_confirmed`).
 */
export async function changeAsset(
  deps: { db: Database },
  input: { caps: AssetCaps; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'changed' } | { kind: 'refused'; refusal: Refusal }> {
  const { caps, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const subject = assetSubject(caps);
    const [known] = await tx.query<CapsRow & { widens: boolean }>(lockAssetSql, [caps.assetId, subject]);
    if (known === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    const { widens, ...before } = known;
    const refusal = widens ? await input.confirm(tx, { deed: 'set_asset', subject }) : null;
    if (refusal !== null) return { kind: 'refused', refusal };
    const values = [caps.assetId, caps.cap24hMinor?.toString() ?? null, caps.atRiskMaxMinor?.toString() ?? null];
    const [after] = await tx.query<CapsRow>(changeAssetSql, values);
    const change = { before, after: after === undefined ? null : { ...after } };
    await appendAudit({ db: tx }, { actorId, action: 'asset.change', subject: caps.assetId, ...change });
    return { kind: 'changed' };
  });
}

/** What is confirmed: the asset's caps as they will be. */
export function assetSubject(caps: AssetCaps): string {
  return JSON.stringify({
    id: caps.assetId,
    cap_24h_minor: caps.cap24hMinor?.toString() ?? null,
    at_risk_max_minor: caps.atRiskMaxMinor?.toString() ?? null,
  });
}

interface CapsRow {
  readonly cap_24h_minor: string | null;
  readonly at_risk_max_minor: string | null;
}

const lockAssetSql: Statement = {
  name: 'lock_asset_caps',
  text: `
    select a.cap_24h_minor, a.at_risk_max_minor, asset_widens(a, jsonb_populate_record(a, $2::text::jsonb)) as widens
    from assets a where id = $1 for no key update`,
};

const changeAssetSql: Statement = {
  name: 'change_asset_caps',
  text: `
    update assets set cap_24h_minor = $2, at_risk_max_minor = $3 where id = $1
    returning cap_24h_minor, at_risk_max_minor`,
};
