import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * Asks the resolver to look at a row now instead of later. The look-up itself is the resolver's, under a fence of its own, so
 * pressing twice looks once; it may find a transfer, and it sends only what the resend rule would have sent anyway.
 */
export async function lookUpNow(
  deps: { db: Database },
  input: { withdrawalId: string; actorId: string },
): Promise<{ kind: 'asked' | 'under_way' | 'not_open' }> {
  const { withdrawalId, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [row] = await tx.query<{ waits: boolean }>(lockOpenSql, [withdrawalId]);
    if (row === undefined) return { kind: 'not_open' };
    if (!row.waits) return { kind: 'under_way' };
    await tx.query(wakeSql, [withdrawalId]);
    const entry = { actorId, action: 'withdrawal.look_up', subject: withdrawalId, before: null, after: null };
    await appendAudit({ db: tx }, entry);
    return { kind: 'asked' };
  });
}

// The clock is read once the lock is held. `protocol_now()` is the moment at which this transaction began: of two presses that
// begin together, the one that waits would find that what the other woke just now is still to come.
const lockOpenSql: Statement = {
  name: 'lock_for_look_up',
  text: `
    select w.next_action_at > protocol_clock() as waits from withdrawals w
    where w.id = $1 and w.status in ('dispatching', 'in_doubt', 'submitted', 'broadcast') for no key update`,
};

const wakeSql: Statement = {
  name: 'wake_for_look_up',
  text: 'update withdrawals set next_action_at = protocol_now() where id = $1',
};
