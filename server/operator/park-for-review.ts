import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * Takes an open withdrawal out of the machine's hands: it sends, cancels and voids nothing of it from here on, and still looks
 * it up. Parking what is parked changes nothing. Two people hand it back.
 */
export async function parkForReview(
  deps: { db: Database },
  input: { withdrawalId: string; reason: string; actorId: string },
): Promise<{ kind: 'parked' | 'already_parked' | 'not_open' }> {
  const { withdrawalId, reason, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [row] = await tx.query<{ parked: boolean }>(lockForParkSql, [withdrawalId]);
    if (row === undefined) return { kind: 'not_open' };
    if (row.parked) return { kind: 'already_parked' };
    await tx.query(parkSql, [withdrawalId]);
    await appendAudit(
      { db: tx },
      { actorId, action: 'withdrawal.park', subject: withdrawalId, before: null, after: { reason } },
    );
    return { kind: 'parked' };
  });
}

// Only where a machine may still send: what custody has is custody's, and what waits for approval is waiting for people already.
const lockForParkSql: Statement = {
  name: 'lock_for_park',
  text: `
    select w.parked_at is not null as parked from withdrawals w
    where w.id = $1 and w.status in ('queued', 'dispatching', 'in_doubt') for update`,
};

const parkSql: Statement = {
  name: 'park_for_review',
  text: `update withdrawals set parked_at = protocol_now(), parked_reason = 'operator', revision = revision + 1 where id = $1`,
};
