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

/** What did not go on by itself and says why: parked withdrawals, events that nothing here can apply, notices given up. */
export async function findDeadLetters(deps: { db: Db }): Promise<DeadLetter[]> {
  const rows = await deps.db.query<LetterRow>(findDeadLettersSql, []);
  return rows.map((row) => ({
    kind: kindSchema.parse(row.kind),
    id: row.id,
    withdrawalId: row.withdrawal_id,
    reason: row.reason,
    tries: row.tries,
    ageSeconds: row.age_seconds,
  }));
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

// An event is tried again for as long as it waits; after three tries somebody should know.
const findDeadLettersSql: Statement = {
  name: 'find_dead_letters',
  text: `
    select * from (
      (select 'withdrawal' as kind, w.id::text as id, w.id as withdrawal_id, w.parked_reason as reason,
          (select count(*)::integer from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send') as tries,
          extract(epoch from protocol_now() - w.parked_at)::float8 as age_seconds
        from withdrawals w where w.parked_at is not null order by w.parked_at limit 100)
      union all
      (select 'event', e.event_id, (select w.id from withdrawals w where w.idempotency_key = e.reference), coalesce(e.reason, 'waits'), e.attempts,
          extract(epoch from protocol_now() - e.received_at)::float8
        from inbox_events e where e.applied_at is null and e.attempts >= 3 order by e.received_at limit 100)
      union all
      (select 'notice', n.id::text, null, n.kind, n.failures, extract(epoch from protocol_now() - n.created_at)::float8
        from notifications n where n.given_up_at is not null order by n.created_at desc limit 20)
    ) l order by l.age_seconds desc limit 200`,
};
