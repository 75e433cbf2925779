import type { Statement } from '#server/db/database.ts';

/**
 * Rows that want evidence and whose time has come: an answer is missing, or a transfer is under way and nobody told us more.
 *
 * $1 how many at most
 */
export const findDueDoubtsSql: Statement = {
  name: 'find_due_doubts',
  text: `
select w.id, w.status from withdrawals w
where w.status in ('dispatching', 'in_doubt', 'submitted', 'broadcast') and w.next_action_at <= protocol_now()
order by w.next_action_at limit $1`,
};
