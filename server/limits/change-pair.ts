import type { MemoRule } from '#domain/asset.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** What an operator may change about an asset on a network; null leaves it as it is. Decimals are not among it. */
export interface PairTerms {
  readonly assetId: string;
  readonly networkId: string;
  readonly minimumMinor: bigint;
  readonly feeMinor: bigint;
  readonly memoRule: MemoRule | null;
  readonly enabled: boolean;
  readonly reviewAll: boolean | null;
}

/**
 * New terms for a pair, from the next request on. Whoever was shown the old fee is asked again, because the accepting call
 * compares the fee it was told with the row's. What lets more out takes a second factor (`asset_networks_wider_confirmed`).
 */
export async function changePair(
  deps: { db: Database },
  input: { terms: PairTerms; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'changed' } | { kind: 'refused'; refusal: Refusal }> {
  const { terms, actorId } = input;
  const { assetId, networkId } = terms;
  return await deps.db.transaction(async (tx) => {
    const subject = pairSubject(terms);
    const [known] = await tx.query<LockedPair>(lockPairSql, [assetId, networkId, subject]);
    if (known === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    const refusal = known.widens ? await input.confirm(tx, { deed: 'set_pair', subject }) : null;
    if (refusal !== null) return { kind: 'refused', refusal };
    const [changed] = await tx.query<{ pair: Record<string, unknown> }>(changePairSql, [
      assetId,
      networkId,
      terms.minimumMinor.toString(),
      terms.feeMinor.toString(),
      terms.enabled,
      terms.reviewAll,
      terms.memoRule,
    ]);
    const entry = { action: 'pair.change', subject: `${assetId} on ${networkId}`, before: known.pair };
    await appendAudit({ db: tx }, { actorId, ...entry, after: changed?.pair ?? null });
    return { kind: 'changed' };
  });
}

/** What is confirmed: the pair's columns as they will be; what stays as it is is left out. */
export function pairSubject(terms: PairTerms): string {
  return JSON.stringify({
    asset_id: terms.assetId,
    network_id: terms.networkId,
    minimum_minor: terms.minimumMinor.toString(),
    fee_minor: terms.feeMinor.toString(),
    enabled: terms.enabled,
    ...(terms.reviewAll === null ? {} : { review_all: terms.reviewAll }),
    ...(terms.memoRule === null ? {} : { memo_rule: terms.memoRule }),
  });
}

interface LockedPair {
  readonly pair: Record<string, unknown>;
  readonly widens: boolean;
}

const lockPairSql: Statement = {
  name: 'lock_pair',
  text: `
    select to_jsonb(p) as pair, pair_widens(p, jsonb_populate_record(p, $3::text::jsonb)) as widens
    from asset_networks p where asset_id = $1 and network_id = $2 for update`,
};

const changePairSql: Statement = {
  name: 'change_pair',
  text: `
    update asset_networks p set minimum_minor = $3, fee_minor = $4, enabled = $5,
      review_all = coalesce($6, p.review_all), memo_rule = coalesce($7, p.memo_rule)
    where asset_id = $1 and network_id = $2 returning to_jsonb(p) as pair`,
};
