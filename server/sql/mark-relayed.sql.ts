import type { Statement } from '#server/db/database.ts';

/**
 * These wake-ups are in the queue.
 *
 * $1 ids
 */
export const markRelayedSql: Statement = {
  name: 'mark_relayed',
  text: 'update outbox set relayed_at = (select protocol_now()) where id = any($1::bigint[]) and relayed_at is null',
};
