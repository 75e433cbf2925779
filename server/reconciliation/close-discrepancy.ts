import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** A person has explained a finding. Nothing else changes; where it is still true the next run opens another. */
export async function closeDiscrepancy(
  deps: { db: Database },
  input: { discrepancyId: string; actorId: string; reason: string },
): Promise<{ kind: 'closed' } | { kind: 'refused'; refusal: Refusal }> {
  const { discrepancyId, actorId, reason } = input;
  return await deps.db.transaction(async (tx) => {
    const [row] = await tx.query(closeDiscrepancySql, [discrepancyId, actorId, reason]);
    if (row === undefined) return { kind: 'refused', refusal: refuse('already_done') };
    const entry = { actorId, action: 'discrepancy.close', subject: discrepancyId, before: null, after: { reason } };
    await appendAudit({ db: tx }, entry);
    return { kind: 'closed' };
  });
}

const closeDiscrepancySql: Statement = {
  name: 'close_discrepancy',
  text: `
    update reconciliation_discrepancies set closed_at = protocol_now(), closed_by = $2, closed_reason = $3
    where id = $1 and closed_at is null returning id`,
};
