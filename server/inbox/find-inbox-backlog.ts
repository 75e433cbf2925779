import type { Db } from '#server/db/database.ts';
import { findInboxBacklogSql } from '#server/sql/find-inbox-backlog.sql.ts';

/** How many events wait, how many of them because nothing here knows their transfer, and how old the oldest is. */
export async function findInboxBacklog(deps: {
  db: Db;
}): Promise<{ waiting: number; parked: number; oldestMs: number }> {
  const [row] = await deps.db.query<{ waiting: number; parked: number; oldest_ms: number }>(findInboxBacklogSql, []);
  return { waiting: row?.waiting ?? 0, parked: row?.parked ?? 0, oldestMs: row?.oldest_ms ?? 0 };
}
