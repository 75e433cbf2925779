import type { Statement } from '#server/db/database.ts';

/**
 * Marks one effect final, in the transaction that settles it, and gives what it must be compared with. Nothing when a reorg
 * took it away in between.
 *
 * $1 effect, $2 head
 */
export const takeFinalEffectSql: Statement = {
  name: 'take_final_effect',
  text: `
update chain_effects e set state = 'final'
from withdrawals w, networks n
where e.id = $1 and w.id = e.withdrawal_id and n.id = e.network_id and e.state in ('included', 'final')
  and e.block_number <= $2::bigint + 1 - greatest(finality_at(n, $2), w.confirmations_required)
returning e.id, e.withdrawal_id, e.transaction_hash, e.contract, e.to_address, e.memo, e.amount_minor, e.block_number,
  (select chain_text(p.contract) from asset_networks p where p.asset_id = w.asset_id and p.network_id = w.network_id) as expected_contract,
  array(select t.transaction_hash from withdrawal_transactions t where t.withdrawal_id = w.id) as transaction_hashes`,
};
