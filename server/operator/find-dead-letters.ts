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

/** Where a page of letters ends: since when its last one lies, of which kind it is, and its id. */
export const letterCursorSchema = z
  .string()
  .max(320)
  .regex(/^\d{1,12}(\.\d{1,6})? (withdrawal|event|notice) \S/);

/**
 * A page of what did not go on by itself and says why: parked withdrawals, events that nothing here can apply, notices given up. The
 * oldest first, and how many there are in all.
 *
 * @param input.cursor as `letterCursorSchema`
 */
export async function findDeadLetters(
  deps: { db: Db },
  input: { cursor: string | null; limit: number },
): Promise<{ items: DeadLetter[]; nextCursor: string | null; total: number }> {
  const { cursor, limit } = input;
  const [since = null, kind = null, ...id] = cursor?.split(' ') ?? [];
  const [rows, [count]] = await Promise.all([
    deps.db.query<LetterRow>(findDeadLettersSql, [since, kind, id.join(' '), limit + 1]),
    deps.db.query<{ total: number }>(countDeadLettersSql, []),
  ]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const items = page.map((row) => ({
    kind: kindSchema.parse(row.kind),
    id: row.id,
    withdrawalId: row.withdrawal_id,
    reason: row.reason,
    tries: row.tries,
    ageSeconds: row.age_seconds,
  }));
  return {
    items,
    nextCursor: last === undefined ? null : `${last.since} ${last.kind} ${last.id}`,
    // Counted a moment apart: what is shown is there.
    total: Math.max(items.length, count?.total ?? 0),
  };
}

const kindSchema = z.enum(['withdrawal', 'event', 'notice']);

interface LetterRow {
  readonly kind: string;
  readonly id: string;
  readonly withdrawal_id: string | null;
  readonly reason: string;
  readonly tries: number;
  readonly age_seconds: number;
  /** Seconds since 1970, to the microsecond. */
  readonly since: string;
}

const PARKED = 'withdrawals w where w.parked_at is not null';
// An event is tried again for as long as it waits; after three tries somebody should know.
const WAITING = 'inbox_events e where e.applied_at is null and e.attempts >= 3';
const GIVEN_UP = 'notifications n where n.given_up_at is not null';

/** One kind of letter behind the cursor, the oldest first. Each is found by an index of what lies still. */
const leg = (input: { kind: DeadLetter['kind']; columns: string; from: string; since: string; id: string }) => `
      (select '${input.kind}' as kind, ${input.id} as id, ${input.columns}, ${input.since} as since
        from ${input.from} and ($1::float8 is null or (${input.since}, '${input.kind}', ${input.id}) > (to_timestamp($1::float8), $2::text, $3::text))
        order by ${input.since}, ${input.id} limit $4)`;

const findDeadLettersSql: Statement = {
  name: 'find_dead_letters',
  // $1 to $3 the cursor's parts or null, $4 how many
  text: `
    select l.kind, l.id, l.withdrawal_id, l.reason, l.tries, extract(epoch from protocol_now() - l.since)::float8 as age_seconds,
      extract(epoch from l.since)::text as since
    from (${[
      leg({
        kind: 'withdrawal',
        id: 'w.id::text',
        columns: `w.id as withdrawal_id, w.parked_reason as reason,
          (select count(*)::integer from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send') as tries`,
        from: PARKED,
        since: 'w.parked_at',
      }),
      leg({
        kind: 'event',
        id: 'e.event_id',
        columns: `(select w.id from withdrawals w where w.idempotency_key = e.reference), coalesce(e.reason, 'waits'), e.attempts`,
        from: WAITING,
        since: 'e.received_at',
      }),
      leg({
        kind: 'notice',
        id: 'n.id::text',
        columns: 'null::uuid, n.kind, n.failures',
        from: GIVEN_UP,
        since: 'n.created_at',
      }),
    ].join(' union all ')}
    ) l order by l.since, l.kind, l.id limit $4`,
};

const countDeadLettersSql: Statement = {
  name: 'count_dead_letters',
  text: `
    select ((select count(*) from ${PARKED}) + (select count(*) from ${WAITING}) + (select count(*) from ${GIVEN_UP}))::integer as total`,
};
