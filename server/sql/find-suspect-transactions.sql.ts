import type { Statement } from '#server/db/database.ts';

/**
 * Transactions that stand between custody's final failure and the end of a withdrawal: signed, in no block that we know a
 * payment of, and not yet proved dead. The rows carry the wait reason that the look-up left.
 *
 * $1 network, $2 how many at most
 */
export const findSuspectTransactionsSql: Statement = {
  name: 'find_suspect_transactions',
  text: `
select t.withdrawal_id, t.transaction_hash, t.nonce, n.confirmations_required
from withdrawals w join withdrawal_transactions t on t.withdrawal_id = w.id join networks n on n.id = w.network_id
where w.status in ('submitted', 'broadcast') and w.network_id = $1 and w.wait_reason = 'custody_failed' and t.dead_at is null
  and not exists (select 1 from chain_effects e where e.withdrawal_id = w.id and e.state <> 'orphaned')
order by t.first_seen_at limit $2`,
};
