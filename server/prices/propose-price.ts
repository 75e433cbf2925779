import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
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
  return await deps.db.transaction(async (tx) => {
    const values = [proposalId, assetId, minor, actorId];
    const [made] = await tx.query(proposePriceSql, values);
    if (made === undefined) {
      const [known] = await tx.query<{ same: boolean }>(findKnownSql, values);
      if (known === undefined) return { kind: 'refused', refusal: refuse('asset_unknown', { fields: ['asset'] }) };
      return known.same ? { kind: 'proposed' } : { kind: 'refused', refusal: refuse('already_done') };
    }
    const after = { proposalId, referenceMinorPerUnit: minor };
    await appendAudit({ db: tx }, { actorId, action: 'price.propose', subject: assetId, before: null, after });
    return { kind: 'proposed' };
  });
}

const proposePriceSql: Statement = {
  name: 'propose_price',
  text: `
    insert into price_proposals (id, asset_id, reference_minor_per_unit, proposed_by)
    select $1, a.id, $3, $4 from assets a where a.id = $2
    on conflict (id) do nothing returning id`,
};

// In a statement of its own: the one that waited for another press does not see what that one wrote, the next one does.
const findKnownSql: Statement = {
  name: 'find_known_price',
  text: `
    select p.asset_id = $2 and p.reference_minor_per_unit = $3::numeric and p.proposed_by = $4 as same
    from price_proposals p where p.id = $1`,
};
