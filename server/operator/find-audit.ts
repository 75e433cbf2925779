import type { Db, Statement } from '#server/db/database.ts';

export interface AuditRecord {
  seq: string;
  at: string;
  actorId: string;
  /** The person's name, or the process that did it. */
  actor: string;
  action: string;
  subject: string;
  /** As JSON text: for reading, never for interpreting. */
  before: string | null;
  after: string | null;
  hash: string;
}

/**
 * A page of deeds, newest first, from behind the number named as cursor; by subject, action or person.
 *
 * @param input.search the exact subject, action or id of a person; null for all
 */
export async function findAudit(
  deps: { db: Db },
  input: { cursor: string | null; limit: number; search: string | null },
): Promise<{ items: AuditRecord[]; nextCursor: string | null }> {
  const statement = findAuditSql(input.limit < PAGE_ROWS ? PAGE_ROWS : FILE_ROWS);
  const rows = await deps.db.query<AuditRow>(statement, [input.cursor, input.search]);
  const page = rows.slice(0, input.limit).map(toRecord);
  return { items: page, nextCursor: rows.length > input.limit ? (page.at(-1)?.seq ?? null) : null };
}

function toRecord(row: AuditRow): AuditRecord {
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    actorId: row.actor_id,
    actor: row.actor ?? row.actor_id,
    action: row.action,
    subject: row.subject,
    before: row.before === null ? null : JSON.stringify(row.before),
    after: row.after === null ? null : JSON.stringify(row.after),
    hash: row.hash,
  };
}

interface AuditRow {
  readonly seq: string;
  readonly at: Date;
  readonly actor_id: string;
  readonly actor: string | null;
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly hash: string;
}

// A page and one more, a part of a file and one more. Written into the statement: behind a parameter the planner expects a tenth of everything.
const PAGE_ROWS = 101;
const FILE_ROWS = 1_001;

/**
 * A range of an index of two columns, from behind the cursor down. Written as ranges of both and not as an equality: an equality lets the
 * planner walk the whole log backwards for a name that is not there.
 */
const rangeOf = (column: string, value: string, rows: number) => `
      (select l.seq from audit_log l where (l.${column}, l.seq) >= (${value}, 0)
        and (l.${column}, l.seq) < (${value}, coalesce($1::bigint, 9223372036854775807))
        order by l.${column} desc, l.seq desc limit ${rows})`;

const ACTOR_BY_EMAIL = `(select u.id::text from users u where u.email = lower($2::text))`;

const findAuditSql = (rows: number): Statement => ({
  name: `find_audit_${rows}`,
  text: `
    with found as (
      (select l.seq from audit_log l where $2::text is null and l.seq < coalesce($1::bigint, 9223372036854775807) order by l.seq desc limit ${rows})
      union ${rangeOf('subject', '$2::text', rows)}
      union ${rangeOf('action', '$2::text', rows)}
      union ${rangeOf('actor_id', '$2::text', rows)}
      union ${rangeOf('actor_id', ACTOR_BY_EMAIL, rows)}
    )
    select l.seq, l.at, l.actor_id, u.name as actor, l.action, l.subject, l.before, l.after, l.hash
    from (select f.seq from found f order by f.seq desc limit ${rows}) f join audit_log l on l.seq = f.seq
    left join users u on u.id = case when l.actor_id ~ '^[0-9a-f-]{36}$' then l.actor_id::uuid end
    order by l.seq desc`,
});
