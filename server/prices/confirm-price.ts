import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** `price_proposals_while_fresh` says the same. */
const FRESH_SECONDS = 600;

/**
 * The second of two people agrees to a price, by a second factor, and it counts in the same transaction (`prices_by_hand_confirmed`). It
 * ages like every other: whoever sets prices by hand sets them again, or people look at each request.
 */
export async function confirmPrice(
  deps: { db: Database },
  input: { proposalId: string; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'set' } | { kind: 'refused'; refusal: Refusal }> {
  const { proposalId, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [open] = await tx.query<ProposalRow>(lockProposalSql, [proposalId]);
    if (open === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    if (open.confirmed) return { kind: 'refused', refusal: refuse('already_done') };
    if (open.proposed_by === actorId) return { kind: 'refused', refusal: refuse('second_person_needed') };
    if (open.age_seconds > FRESH_SECONDS) {
      const detail = 'The proposal is older than ten minutes. Propose the price of now.';
      return { kind: 'refused', refusal: refuse('changed_meanwhile', { detail }) };
    }
    const refusal = await input.confirm(tx, { deed: 'set_price', subject: proposalId });
    if (refusal !== null) return { kind: 'refused', refusal };
    await tx.query(confirmSql, [proposalId, actorId]);
    await tx.query(setPriceSql, [proposalId]);
    const before = { referenceMinorPerUnit: open.price, proposedBy: open.proposed_by };
    const after = { proposalId, referenceMinorPerUnit: open.proposed };
    await appendAudit({ db: tx }, { actorId, action: 'price.set', subject: open.asset_id, before, after });
    return { kind: 'set' };
  });
}

interface ProposalRow {
  readonly asset_id: string;
  readonly proposed: string;
  readonly proposed_by: string;
  readonly confirmed: boolean;
  readonly age_seconds: number;
  readonly price: string | null;
}

// The asset first: of two proposals that are confirmed at once the second replaces the first's price, and says so in the audit.
const lockProposalSql: Statement = {
  name: 'lock_price_proposal',
  text: `
    with k as (select 1 from assets a where a.id = (select x.asset_id from price_proposals x where x.id = $1) for update)
    select p.asset_id, p.reference_minor_per_unit as proposed, p.proposed_by, p.confirmed_at is not null as confirmed,
      extract(epoch from protocol_now() - p.proposed_at)::float8 as age_seconds,
      (select c.reference_minor_per_unit from prices c where c.asset_id = p.asset_id) as price
    from price_proposals p where p.id = $1 and (select count(*) from k) >= 0 for update of p`,
};

const confirmSql: Statement = {
  name: 'confirm_price',
  text: 'update price_proposals set confirmed_by = $2, confirmed_at = protocol_now() where id = $1',
};

const setPriceSql: Statement = {
  name: 'set_price',
  text: `
    insert into prices (asset_id, reference_minor_per_unit, as_of, source)
    select p.asset_id, p.reference_minor_per_unit, protocol_now(), 'operator' from price_proposals p where p.id = $1
    on conflict (asset_id) do update set reference_minor_per_unit = excluded.reference_minor_per_unit, as_of = excluded.as_of,
      source = excluded.source`,
};
