import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * One more wake-up, and nothing else: the row is looked at again by the same rule as ever, which sends only where it would have
 * sent by itself. No evidence is touched, a parked row stays parked, and pressing twice wakes once. (OP03, OP04)
 */
export async function retryDeadLetter(
  deps: { db: Database },
  input: { kind: 'withdrawal' | 'event'; id: string; actorId: string },
): Promise<{ kind: 'woken' | 'awake' }> {
  const { kind, id, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    // In a statement of its own: the one that waits for a lock does not see what others wrote meanwhile, the next one does.
    if (kind === 'withdrawal') await tx.query(lockRowSql, [id]);
    const statements = kind === 'withdrawal' ? [wakeRowSql, wakeQueueSql] : [wakeEventSql];
    let woken = 0;
    for (const statement of statements) woken += (await tx.query(statement, [id])).length;
    if (woken === 0) return { kind: 'awake' };
    await appendAudit({ db: tx }, { actorId, action: `${kind}.retry`, subject: id, before: null, after: null });
    return { kind: 'woken' };
  });
}

const lockRowSql: Statement = {
  name: 'lock_for_retry',
  text: 'select 1 from withdrawals where id = $1::uuid for no key update',
};

const wakeRowSql: Statement = {
  name: 'retry_row',
  text: `
    update withdrawals set next_action_at = protocol_now()
    where id = $1::uuid and status in ('dispatching', 'in_doubt', 'submitted', 'broadcast') and next_action_at > protocol_clock()
    returning id`,
};

const wakeQueueSql: Statement = {
  name: 'retry_queue',
  text: `
    insert into outbox (withdrawal_id)
    select w.id from withdrawals w
    where w.id = $1::uuid and w.status = 'queued'
      and not exists (select 1 from outbox o where o.withdrawal_id = w.id and o.relayed_at is null)
    returning id`,
};

const wakeEventSql: Statement = {
  name: 'retry_event',
  text: `
    update inbox_events set next_attempt_at = protocol_now()
    where event_id = $1 and applied_at is null and next_attempt_at > protocol_clock() returning event_id`,
};
