import { type Refusal, refuse } from '#domain/refusal.ts';
import { proposeOnce } from '#server/audit/propose-once.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** In minor units of the reference currency for one whole unit of the asset. */
export interface Price {
  readonly assetId: string;
  readonly referenceMinorPerUnit: bigint;
}

/**
 * The first of two people says what an asset is worth. No limit moves before another one confirms it, within ten minutes.
 *
 * @param input.proposalId made by the page, so that pressing twice proposes once
 */
export async function proposePrice(
  deps: { db: Database },
  input: { proposalId: string; price: Price; actorId: string },
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { proposalId, price, actorId } = input;
  const { assetId, referenceMinorPerUnit } = price;
  const minor = referenceMinorPerUnit.toString();
  const values = [proposalId, assetId, minor, actorId];
  const after = { proposalId, referenceMinorPerUnit: minor };
  return await deps.db.transaction((tx) =>
    proposeOnce(
      { db: tx },
      {
        insert: [proposePriceSql, values],
        known: [findKnownSql, values],
        nothing: refuse('asset_unknown', { fields: ['asset'] }),
        audit: { actorId, action: 'price.propose', subject: assetId, before: null, after },
      },
    ),
  );
}

const proposePriceSql: Statement = {
  name: 'propose_price',
  text: `
    insert into price_proposals (id, asset_id, reference_minor_per_unit, proposed_by)
    select $1, a.id, $3, $4 from assets a where a.id = $2
    on conflict (id) do nothing returning id`,
};

const findKnownSql: Statement = {
  name: 'find_known_price',
  text: `
    select p.asset_id = $2 and p.reference_minor_per_unit = $3::numeric and p.proposed_by = $4 as same
    from price_proposals p where p.id = $1`,
};
