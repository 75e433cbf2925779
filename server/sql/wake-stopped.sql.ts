import type { Statement } from '#server/db/database.ts';

/**
 * Rows that waited for one of these reasons look again now.
 *
 * $1 reasons
 */
export const wakeStoppedSql: Statement = {
  name: 'wake_stopped',
  text: `
update withdrawals set next_action_at = protocol_now()
where status in ('queued', 'in_doubt') and wait_reason = any($1::text[]) and next_action_at > protocol_now()
returning id`,
};
