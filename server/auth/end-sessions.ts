import type { Db, Statement } from '#server/db/database.ts';

/**
 * Signs a person out elsewhere, at once: every call asks for its session anew.
 *
 * @param input.sessionId the one to end; null for all but the one that asks
 */
export async function endSessions(
  deps: { db: Db },
  input: { userId: string; sessionId: string | null; sessionToken: string | null },
): Promise<{ ended: number }> {
  const rows = await deps.db.query(endSessionsSql, [input.userId, input.sessionId, input.sessionToken]);
  return { ended: rows.length };
}

const endSessionsSql: Statement = {
  name: 'end_sessions',
  text: `
    delete from sessions where user_id = $1
      and case when $2::uuid is null then token is distinct from $3 else id = $2 end returning id`,
};
