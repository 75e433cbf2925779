import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { DatabaseError } from '#server/db/database-error.ts';

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
 * The first of two people asks for a correction of the books. Nothing is booked until another one confirms. Accounts of held
 * coins are out of reach: holds end with their withdrawal.
 */
export async function proposeAdjustment(
  deps: { db: Database },
  input: AdjustmentProposal,
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { adjustmentId, assetId, debit, credit, amountMinor, reason, actorId } = input;
  const values = [adjustmentId, assetId, debit.kind, debit.customerId, credit.kind, credit.customerId];
  try {
    return await deps.db.transaction(async (tx) => {
      const [row] = await tx.query(proposeSql, [...values, amountMinor.toString(), reason, actorId]);
      if (row === undefined) return { kind: 'refused', refusal: refuse('not_found') };
      const after = { assetId, debit, credit, amountMinor: amountMinor.toString(), reason };
      await appendAudit({ db: tx }, { actorId, action: 'ledger.propose', subject: adjustmentId, before: null, after });
      return { kind: 'proposed' };
    });
  } catch (error) {
    if (error instanceof DatabaseError && error.code === '23505') {
      return { kind: 'refused', refusal: refuse('already_done') };
    }
    throw error;
  }
}

const proposeSql: Statement = {
  name: 'propose_adjustment',
  text: `
    insert into ledger_adjustments (id, asset_id, debit_account_id, credit_account_id, amount_minor, reason, proposed_by)
    select $1, $2, d.id, c.id, $7, $8, $9 from ledger_accounts d, ledger_accounts c
    where d.asset_id = $2 and d.kind = $3 and d.customer_id is not distinct from $4::uuid and d.kind <> 'customer_held'
      and c.asset_id = $2 and c.kind = $5 and c.customer_id is not distinct from $6::uuid and c.kind <> 'customer_held'
      and d.id <> c.id
    returning id`,
};
