import type { Statement } from '#server/db/database.ts';

/**
 * Parks a row for people: a flag with its reason, not a state. No machine sends, cancels or voids it from here on; it is still
 * looked up, slowly.
 *
 * $1 id, $2 status and $3 fence as they were read, $4 reason, $5 milliseconds until the next look-up
 */
export const parkWithdrawalSql: Statement = {
  name: 'park_withdrawal',
  text: `
update withdrawals w
set parked_at = coalesce(w.parked_at, protocol_now()), parked_reason = coalesce(w.parked_reason, $4), wait_reason = null,
  next_action_at = protocol_now() + $5::float8 * interval '1 millisecond'
where w.id = $1 and w.status = $2 and w.fence = $3
returning w.id`,
};
