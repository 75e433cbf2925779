import type { Statement } from '#server/db/database.ts';

/**
 * Transactions that custody named for open withdrawals and that we know no payment of: custody has given the transfer up (the
 * wait reason says so, left by a look-up), the transaction is old enough to have been seen, or it paid something else. Those
 * not yet proved dead and not yet told to people. Another few at every head, so that none that stays unseen for ever keeps
 * the others waiting.
 *
 * $1 network, $2 how many at most, $3 head, $4 after how many milliseconds a transaction should have been seen
 */
export const findSuspectTransactionsSql: Statement = {
  name: 'find_suspect_transactions',
  text: `
select t.withdrawal_id, w.customer_id, w.asset_id, t.transaction_hash, t.nonce, finality_at(n, $3) as confirmations_required,
  coalesce(w.wait_reason = 'custody_failed', false) as given_up,
  array(select jsonb_build_object('ordinal', e.ordinal, 'contract', e.contract, 'to', e.to_address, 'amountMinor', e.amount_minor::text)
    from chain_effects e where e.network_id = $1 and e.transaction_hash = t.transaction_hash and e.state <> 'orphaned' order by e.ordinal) as effects
from withdrawals w join withdrawal_transactions t on t.withdrawal_id = w.id join networks n on n.id = w.network_id
where w.status in ('submitted', 'broadcast') and w.network_id = $1 and t.dead_at is null
  and not exists (select 1 from chain_effects e where e.withdrawal_id = w.id and e.state <> 'orphaned')
  and (w.wait_reason = 'custody_failed' or t.first_seen_at < protocol_now() - $4::float8 * interval '1 millisecond'
    or exists (select 1 from chain_effects e where e.network_id = $1 and e.transaction_hash = t.transaction_hash and e.state <> 'orphaned'))
  and not exists (select 1 from cases c where c.fingerprint = 'paid_otherwise:' || w.id || ':' || t.transaction_hash)
order by md5(t.transaction_hash || $3::bigint) limit $2`,
};
