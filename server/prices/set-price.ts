import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** In minor units of the reference currency for one whole unit of the asset. */
export interface Price {
  readonly assetId: string;
  readonly referenceMinorPerUnit: bigint;
}

/**
 * A price that an operator knows better. It ages like every other: whoever sets prices by hand sets them again, or people
 * look at each request. It moves every limit, and so takes a second factor (`prices_by_hand_confirmed`).
 */
export async function setPrice(
  deps: { db: Database },
  input: { price: Price; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'set' } | { kind: 'refused'; refusal: Refusal }> {
  const { price, actorId } = input;
  const { assetId, referenceMinorPerUnit } = price;
  return await deps.db.transaction(async (tx) => {
    const [known] = await tx.query<{ price: string | null }>(findPriceSql, [assetId]);
    if (known === undefined) return { kind: 'refused', refusal: refuse('asset_unknown', { fields: ['asset'] }) };
    const refusal = await input.confirm(tx, { deed: 'set_price', subject: priceSubject(price) });
    if (refusal !== null) return { kind: 'refused', refusal };
    await tx.query(setPriceSql, [assetId, referenceMinorPerUnit.toString(), 'operator']);
    const after = { referenceMinorPerUnit: referenceMinorPerUnit.toString() };
    const before = { referenceMinorPerUnit: known.price };
    await appendAudit({ db: tx }, { actorId, action: 'price.set', subject: assetId, before, after });
    return { kind: 'set' };
  });
}

/** What is confirmed: the price as it will be. */
export function priceSubject(price: Price): string {
  return JSON.stringify({
    asset_id: price.assetId,
    reference_minor_per_unit: price.referenceMinorPerUnit.toString(),
  });
}

const findPriceSql: Statement = {
  name: 'find_price',
  text: `
    select (select p.reference_minor_per_unit from prices p where p.asset_id = a.id) as price
    from assets a where a.id = $1 for update of a`,
};

const setPriceSql: Statement = {
  name: 'set_price',
  text: `
    insert into prices (asset_id, reference_minor_per_unit, as_of, source) values ($1, $2, protocol_now(), $3)
    on conflict (asset_id) do update set reference_minor_per_unit = excluded.reference_minor_per_unit, as_of = excluded.as_of,
      source = excluded.source`,
};
