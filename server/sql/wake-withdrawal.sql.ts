import type { Statement } from '#server/db/database.ts';

/**
 * The row's own loop looks at it now instead of later.
 *
 * $1 id
 */
export const wakeWithdrawalSql: Statement = {
  name: 'wake_withdrawal',
  text: `
update withdrawals set next_action_at = protocol_now()
where id = $1 and status in ('dispatching', 'in_doubt', 'submitted', 'broadcast') and next_action_at > protocol_now()`,
};
