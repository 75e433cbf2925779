import type { Statement } from '#server/db/database.ts';

/**
 * A signed transaction that can never take effect any more; its withdrawal is looked at at once.
 *
 * $1 withdrawal, $2 hash, $3 reason
 */
export const markDeadTransactionSql: Statement = {
  name: 'mark_dead_transaction',
  text: `
with marked as (
  update withdrawal_transactions set dead_at = protocol_now(), dead_reason = $3
  where withdrawal_id = $1 and transaction_hash = $2 and dead_at is null returning withdrawal_id
)
update withdrawals w set next_action_at = protocol_now()
from marked m where w.id = m.withdrawal_id and w.status in ('submitted', 'broadcast')
returning w.id`,
};
