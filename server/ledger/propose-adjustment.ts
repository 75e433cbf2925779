import { type Refusal, refuse } from '#domain/refusal.ts';
import { proposeOnce } from '#server/audit/propose-once.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** One side of an adjustment: an account of the house, or of a customer. */
export interface AdjustmentAccount {
  readonly kind: string;
  readonly customerId: string | null;
}

export interface AdjustmentProposal {
  /** Named by whoever asks, so that a repeated press proposes once. */
  readonly adjustmentId: string;
  readonly assetId: string;
  readonly debit: AdjustmentAccount;
  readonly credit: AdjustmentAccount;
  readonly amountMinor: bigint;
  readonly reason: string;
  readonly actorId: string;
}

/**
 * The first of two people asks for a correction of the books. Nothing is booked until another one confirms, and the same press repeated
 * proposes nothing anew. Accounts of held coins are out of reach: holds end with their withdrawal.
 */
export async function proposeAdjustment(
  deps: { db: Database },
  input: AdjustmentProposal,
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { adjustmentId, assetId, debit, credit, amountMinor, reason, actorId } = input;
  const values = [adjustmentId, assetId, debit.kind, debit.customerId, credit.kind, credit.customerId];
  const terms = [amountMinor.toString(), reason, actorId];
  const after = { assetId, debit, credit, amountMinor: amountMinor.toString(), reason };
  return await deps.db.transaction((tx) =>
    proposeOnce(
      { db: tx },
      {
        insert: [proposeSql, [...values, ...terms]],
        known: [findKnownSql, [adjustmentId, assetId, ...terms]],
        nothing: refuse('not_found'),
        audit: { actorId, action: 'ledger.propose', subject: adjustmentId, before: null, after },
      },
    ),
  );
}

const proposeSql: Statement = {
  name: 'propose_adjustment',
  text: `
    insert into ledger_adjustments (id, asset_id, debit_account_id, credit_account_id, amount_minor, reason, proposed_by)
    select $1, $2, d.id, c.id, $7, $8, $9 from ledger_accounts d, ledger_accounts c
    where d.asset_id = $2 and d.kind = $3 and d.customer_id is not distinct from $4::uuid and d.kind <> 'customer_held'
      and c.asset_id = $2 and c.kind = $5 and c.customer_id is not distinct from $6::uuid and c.kind <> 'customer_held'
      and d.id <> c.id
    on conflict (id) do nothing returning id`,
};

const findKnownSql: Statement = {
  name: 'find_known_adjustment',
  text: `
    select j.asset_id = $2 and j.amount_minor = $3::numeric and j.reason = $4 and j.proposed_by = $5 as same
    from ledger_adjustments j where j.id = $1`,
};
