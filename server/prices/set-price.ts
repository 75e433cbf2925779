import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * A price that an operator knows better. It ages like every other: whoever sets prices by hand sets them again, or people
 * look at each request.
 */
export async function setPrice(
  deps: { db: Database },
  input: { assetId: string; referenceMinorPerUnit: bigint; actorId: string },
): Promise<{ kind: 'set' } | { kind: 'unknown_asset' }> {
  const { assetId, referenceMinorPerUnit, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [known] = await tx.query<{ price: string | null }>(findPriceSql, [assetId]);
    if (known === undefined) return { kind: 'unknown_asset' };
    await tx.query(setPriceSql, [assetId, referenceMinorPerUnit.toString(), 'operator']);
    const after = { referenceMinorPerUnit: referenceMinorPerUnit.toString() };
    const before = { referenceMinorPerUnit: known.price };
    await appendAudit({ db: tx }, { actorId, action: 'price.set', subject: assetId, before, after });
    return { kind: 'set' };
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
