import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { wakeStoppedWithdrawals } from '#server/withdrawals/wake-stopped-withdrawals.ts';

/**
 * Freezes a customer at once, or lifts a freeze of ours by a second factor: requests are refused and nothing of theirs is claimed.
 * A freeze after a change of security runs out by itself and is not touched. Doing it again changes nothing.
 */
export async function freezeCustomer(
  deps: { db: Database },
  input: { customerId: string; frozen: boolean; reason: string; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'frozen' | 'lifted' | 'unchanged' } | { kind: 'refused'; refusal: Refusal }> {
  const { customerId, frozen, reason, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [known] = await tx.query<{ frozen: boolean; reason: string | null }>(lockCustomerSql, [customerId]);
    if (known === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    if (known.frozen === frozen) return { kind: 'unchanged' };
    const refusal = frozen ? null : await input.confirm(tx, { deed: 'lift_freeze', subject: customerId });
    if (refusal !== null) return { kind: 'refused', refusal };
    await tx.query(freezeSql, [customerId, frozen, reason]);
    if (!frozen) await wakeStoppedWithdrawals({ db: tx }, { reasons: ['customer_frozen'] });
    const action = frozen ? 'customer.freeze' : 'customer.lift_freeze';
    const before = { frozen: known.frozen, reason: known.reason };
    await appendAudit({ db: tx }, { actorId, action, subject: customerId, before, after: { frozen, reason } });
    return { kind: frozen ? 'frozen' : 'lifted' };
  });
}

const lockCustomerSql: Statement = {
  name: 'lock_customer_for_freeze',
  text: `
    select c.frozen_at is not null as frozen, c.frozen_reason as reason from customers c where c.id = $1 for no key update`,
};

const freezeSql: Statement = {
  name: 'freeze_customer',
  text: `
    update customers set frozen_at = case when $2::boolean then protocol_now() end, frozen_reason = case when $2::boolean then $3::text end
    where id = $1`,
};
