import type { Statement } from '#server/db/database.ts';

/**
 * Rows that waited for one of these reasons look again now. Locked in the order of their ids, as every statement for many locks them.
 *
 * $1 reasons
 */
export const wakeStoppedSql: Statement = {
  name: 'wake_stopped',
  text: `
with locked as (
  select w.id from withdrawals w
  where w.status in ('queued', 'in_doubt') and w.wait_reason = any($1::text[]) and w.next_action_at > protocol_now()
  order by w.id for no key update
)
update withdrawals w set next_action_at = protocol_now() from locked l where w.id = l.id
returning w.id`,
};
