import type { Db, Statement } from '#server/db/database.ts';

/** One deed of one person, with what it changed. Never a secret, never more than the change. */
export interface AuditEntry {
  readonly actorId: string;
  /** Subject and verb: `withdrawal.approve`. */
  readonly action: string;
  readonly subject: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  /** Of the form by which it was asked for, where a repeated press could do it again: the database takes each once. */
  readonly deedId?: string | null;
}

/**
 * Writes a deed down in the transaction that does it. The database names the hash of the row before it and makes this row's
 * own, one row at a time, so that nothing can be taken out or put in between later.
 */
export async function appendAudit(deps: { db: Db }, entry: AuditEntry): Promise<void> {
  const { actorId, action, subject, before, after, deedId = null } = entry;
  await deps.db.query(appendAuditSql, [actorId, action, subject, before, after, deedId]);
}

const appendAuditSql: Statement = {
  name: 'append_audit',
  text: `insert into audit_log (actor_id, action, subject, before, after, deed_id) values ($1, $2, $3, $4::jsonb, $5::jsonb, $6)`,
};
