import type { Db } from '#server/db/database.ts';
import { findOutboxBacklogSql } from '#server/sql/find-outbox-backlog.sql.ts';

/** How many wake-ups wait for the queue, and for how many milliseconds the oldest has. */
export async function findOutboxBacklog(deps: { db: Db }): Promise<{ waiting: number; oldestMs: number }> {
  const [row] = await deps.db.query<{ waiting: number; oldest_ms: number }>(findOutboxBacklogSql, []);
  return { waiting: row?.waiting ?? 0, oldestMs: row?.oldest_ms ?? 0 };
}
