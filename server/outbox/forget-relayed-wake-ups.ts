import type { Db } from '#server/db/database.ts';
import { forgetRelayedSql } from '#server/sql/forget-relayed.sql.ts';

// A day: long after every job of that id is forgotten as well.
const RELAYED_KEPT_HOURS = 24;

/** Forgets wake-ups that were relayed long ago, a bounded bite. */
export async function forgetRelayedWakeUps(deps: { db: Db }): Promise<void> {
  await deps.db.query(forgetRelayedSql, [RELAYED_KEPT_HOURS]);
}
