import type { ServerResponse } from 'node:http';
import { answerJson } from '#server/api/http-answer.ts';
import type { Db, Statement } from '#server/db/database.ts';

/**
 * Tells whoever watches this process how it is. Live: it turns. Ready: it can answer people. Writable: a withdrawal could
 * be accepted now. Redis is asked by none of them: without it requests are accepted and wait.
 */
export async function answerHealth(
  deps: { db: Db },
  input: { path: string; response: ServerResponse; isStopping: boolean },
): Promise<void> {
  const { response } = input;
  if (input.path === '/health/live') return answerJson(response, 200, { status: 'live' });
  if (input.isStopping) return answerJson(response, 503, { status: 'stopping' });
  const [row] = await deps.db.query<{ writable: boolean }>(writableSql, []).catch(() => []);
  if (row === undefined) return answerJson(response, 503, { status: 'database_unreachable' });
  if (input.path === '/health/ready') return answerJson(response, 200, { status: 'ready' });
  if (input.path !== '/health/writable') return answerJson(response, 404, { status: 'unknown' });
  return answerJson(response, row.writable ? 200 : 503, { status: row.writable ? 'writable' : 'read_only' });
}

const writableSql: Statement = {
  name: 'is_writable',
  text: `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writable`,
};
