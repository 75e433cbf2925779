import { z } from 'zod';
import type { Db, Statement } from '#server/db/database.ts';

export interface DeadLetter {
  kind: 'withdrawal' | 'event' | 'notice';
  /** The withdrawal, the event or the notice. */
  id: string;
  withdrawalId: string | null;
  reason: string;
  tries: number;
  ageSeconds: number;
}

/**
 * What did not go on by itself and says why: parked withdrawals, events that nothing here can apply, notices given up. Up to 200, and
 * how many there are in all.
 */
export async function findDeadLetters(deps: { db: Db }): Promise<{ items: DeadLetter[]; total: number }> {
  const [rows, [count]] = await Promise.all([
    deps.db.query<LetterRow>(findDeadLettersSql, []),
    deps.db.query<{ total: number }>(countDeadLettersSql, []),
  ]);
  const items = rows.map((row) => ({
    kind: kindSchema.parse(row.kind),
    id: row.id,
    withdrawalId: row.withdrawal_id,
    reason: row.reason,
    tries: row.tries,
    ageSeconds: row.age_seconds,
  }));
  // Counted a moment apart: what is shown is there.
  return { items, total: Math.max(items.length, count?.total ?? 0) };
}

const kindSchema = z.enum(['withdrawal', 'event', 'notice']);

interface LetterRow {
  readonly kind: string;
  readonly id: string;
  readonly withdrawal_id: string | null;
  readonly reason: string;
  readonly tries: number;
  readonly age_seconds: number;
}

const PARKED = 'withdrawals w where w.parked_at is not null';
// An event is tried again for as long as it waits; after three tries somebody should know.
const WAITING = 'inbox_events e where e.applied_at is null and e.attempts >= 3';
const GIVEN_UP = 'notifications n where n.given_up_at is not null';

const findDeadLettersSql: Statement = {
  name: 'find_dead_letters',
  text: `
    select * from (
      (select 'withdrawal' as kind, w.id::text as id, w.id as withdrawal_id, w.parked_reason as reason,
          (select count(*)::integer from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send') as tries,
          extract(epoch from protocol_now() - w.parked_at)::float8 as age_seconds
        from ${PARKED} order by w.parked_at limit 100)
      union all
      (select 'event', e.event_id, (select w.id from withdrawals w where w.idempotency_key = e.reference), coalesce(e.reason, 'waits'), e.attempts,
          extract(epoch from protocol_now() - e.received_at)::float8
        from ${WAITING} order by e.received_at limit 100)
      union all
      (select 'notice', n.id::text, null, n.kind, n.failures, extract(epoch from protocol_now() - n.created_at)::float8
        from ${GIVEN_UP} order by n.created_at desc limit 20)
    ) l order by l.age_seconds desc limit 200`,
};

const countDeadLettersSql: Statement = {
  name: 'count_dead_letters',
  text: `
    select ((select count(*) from ${PARKED}) + (select count(*) from ${WAITING}) + (select count(*) from ${GIVEN_UP}))::integer as total`,
};
