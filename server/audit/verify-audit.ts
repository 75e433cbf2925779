import type { Db, Statement } from '#server/db/database.ts';

/** Reads the whole chain: the number of rows, and the first that is not what its hash or its predecessor says. */
export async function verifyAudit(deps: { db: Db }): Promise<{ rows: number; firstBreak: bigint | null }> {
  const [row] = await deps.db.query<{ rows: number; first_break: string | null }>(verifyAuditSql, []);
  const firstBreak = row?.first_break ?? null;
  return { rows: row?.rows ?? 0, firstBreak: firstBreak === null ? null : BigInt(firstBreak) };
}

const verifyAuditSql: Statement = {
  name: 'verify_audit',
  text: `select (select count(*)::integer from audit_log) as rows, audit_log_first_break() as first_break`,
};
