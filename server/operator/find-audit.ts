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
  const rows = await deps.db.query<AuditRow>(findAuditSql, [input.cursor, input.search, input.limit + 1]);
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

const findAuditSql: Statement = {
  name: 'find_audit',
  text: `
    select l.seq, l.at, l.actor_id, u.name as actor, l.action, l.subject, l.before, l.after, l.hash
    from audit_log l left join users u on u.id::text = l.actor_id
    where ($1::bigint is null or l.seq < $1) and ($2::text is null or l.subject = $2 or l.action = $2 or l.actor_id = $2 or u.email = $2)
    order by l.seq desc limit $3`,
};
