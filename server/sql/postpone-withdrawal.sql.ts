import type { Statement } from '#server/db/database.ts';

/**
 * The row waits, and says why. Only its clock and its reason change, and only while it is as it was read; a wait that somebody
 * set further away stands.
 *
 * $1 id, $2 status and $3 fence as they were read, $4 milliseconds, $5 reason
 */
export const postponeWithdrawalSql: Statement = {
  name: 'postpone_withdrawal',
  text: `
update withdrawals w
set next_action_at = greatest(w.next_action_at, protocol_now() + $4::float8 * interval '1 millisecond'), wait_reason = $5
where w.id = $1 and w.status = $2 and w.fence = $3
returning w.id`,
};
