import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { DatabaseError } from '#server/db/database-error.ts';

/**
 * The second of two people agrees, and the adjustment is booked in the same transaction, once: its id is the transfer's source.
 */
export async function confirmAdjustment(
  deps: { db: Database },
  input: { adjustmentId: string; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'booked' } | { kind: 'refused'; refusal: Refusal }> {
  const { adjustmentId, actorId } = input;
  try {
    return await deps.db.transaction(async (tx) => {
      const [open] = await tx.query<{ proposed_by: string; confirmed: boolean }>(lockSql, [adjustmentId]);
      if (open === undefined) return { kind: 'refused', refusal: refuse('not_found') };
      if (open.confirmed) return { kind: 'refused', refusal: refuse('already_done') };
      if (open.proposed_by === actorId) return { kind: 'refused', refusal: refuse('second_person_needed') };
      const refusal = await input.confirm(tx, { deed: 'adjust', subject: adjustmentId });
      if (refusal !== null) return { kind: 'refused', refusal };
      await tx.query(confirmSql, [adjustmentId, actorId]);
      await tx.query(bookSql, [adjustmentId]);
      const before = { proposedBy: open.proposed_by };
      await appendAudit(
        { db: tx },
        { actorId, action: 'ledger.confirm', subject: adjustmentId, before, after: { confirmedBy: actorId } },
      );
      return { kind: 'booked' };
    });
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'customer_balances_available_not_negative') {
      return { kind: 'refused', refusal: refuse('insufficient_funds') };
    }
    throw error;
  }
}

const lockSql: Statement = {
  name: 'lock_adjustment',
  text: 'select proposed_by, confirmed_at is not null as confirmed from ledger_adjustments where id = $1 for update',
};

const confirmSql: Statement = {
  name: 'confirm_adjustment',
  text: 'update ledger_adjustments set confirmed_by = $2, confirmed_at = protocol_now() where id = $1',
};

const bookSql: Statement = {
  name: 'book_adjustment',
  text: `
    with t as (
      insert into ledger_transfers (asset_id, kind, source_id)
      select j.asset_id, 'adjustment', j.id from ledger_adjustments j where j.id = $1 returning id, source_id
    )
    insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select t.id, 1, j.asset_id, j.debit_account_id, j.credit_account_id, j.amount_minor
    from t join ledger_adjustments j on j.id = t.source_id`,
};
