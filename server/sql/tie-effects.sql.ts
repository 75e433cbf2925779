import type { Statement } from '#server/db/database.ts';

/**
 * Ties effects to withdrawals whose transactions were named while their block was being written: both sides tie what they see,
 * and neither sees what the other has not committed. Looks at the newest blocks, and at open rows that still miss their effect.
 *
 * $1 network, $2 head
 */
export const tieEffectsSql: Statement = {
  name: 'tie_effects',
  text: `
with untied as (
  select e.id from chain_effects e
  where e.network_id = $1 and e.block_number > $2::bigint - 100 and e.withdrawal_id is null and e.state <> 'orphaned'
  union
  select e.id from withdrawals w
  join withdrawal_transactions t on t.withdrawal_id = w.id
  join chain_effects e on e.network_id = $1 and e.transaction_hash = t.transaction_hash
  where w.status in ('submitted', 'broadcast') and w.network_id = $1 and w.confirmations = 0
    and e.withdrawal_id is null and e.state <> 'orphaned'
)
update chain_effects e set withdrawal_id = w.id
from untied u, withdrawal_transactions t
join withdrawals w on w.id = t.withdrawal_id
join asset_networks n on n.asset_id = w.asset_id and n.network_id = w.network_id
where e.id = u.id and t.transaction_hash = e.transaction_hash and w.network_id = $1 and e.withdrawal_id is null
  and lower(n.contract) is not distinct from lower(e.contract)
  and lower(w.address) = lower(e.to_address) and w.amount_minor = e.amount_minor
returning e.id`,
};
