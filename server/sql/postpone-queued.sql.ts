import type { Statement } from '#server/db/database.ts';

/**
 * A queued row waits for custody; its other reasons are not looked at.
 *
 * $1 id, $2 milliseconds, $3 reason
 */
export const postponeQueuedSql: Statement = {
  name: 'postpone_queued',
  text: `
update withdrawals w
set next_action_at = greatest(w.next_action_at, protocol_now() + $2::float8 * interval '1 millisecond'), wait_reason = $3
where w.id = $1 and w.status = 'queued'
returning w.id`,
};
