import type { Db, Statement } from '#server/db/database.ts';

/**
 * What was done by this form before, so that a repeated press is told the same and does nothing. Ask it once the row that the deed is
 * about is locked.
 *
 * @returns the subject that was written down; `other` where the id belongs to another deed or person; null where nothing was done yet
 */
export async function findWrittenDeed(
  deps: { db: Db },
  input: { deedId: string; actorId: string; action: string },
): Promise<{ kind: 'same'; subject: string } | { kind: 'other' } | null> {
  const { deedId, actorId, action } = input;
  const [row] = await deps.db.query<{ same: boolean; subject: string }>(findDeedSql, [deedId, actorId, action]);
  if (row === undefined) return null;
  return row.same ? { kind: 'same', subject: row.subject } : { kind: 'other' };
}

const findDeedSql: Statement = {
  name: 'find_written_deed',
  text: 'select l.actor_id = $2 and l.action = $3 as same, l.subject from audit_log l where l.deed_id = $1',
};
