import type { Db, Statement } from '#server/db/database.ts';

/** One deed of one person, with what it changed. Never a secret, never more than the change. */
export interface AuditEntry {
  readonly actorId: string;
  /** Subject and verb: `withdrawal.approve`. */
  readonly action: string;
  readonly subject: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/**
 * Writes a deed down in the transaction that does it. The database names the hash of the row before it and makes this row's
 * own, one row at a time, so that nothing can be taken out or put in between later.
 */
export async function appendAudit(deps: { db: Db }, entry: AuditEntry): Promise<void> {
  await deps.db.query(appendAuditSql, [entry.actorId, entry.action, entry.subject, entry.before, entry.after]);
}

const appendAuditSql: Statement = {
  name: 'append_audit',
  text: `insert into audit_log (actor_id, action, subject, before, after) values ($1, $2, $3, $4::jsonb, $5::jsonb)`,
};
