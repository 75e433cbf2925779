import type { Statement } from '#server/db/database.ts';

/**
 * How far a network is read, how deep it is final, and which contracts are looked at.
 *
 * $1 network
 */
export const findChainCursorSql: Statement = {
  name: 'find_chain_cursor',
  text: `
select finality_at(n, c.block_number) as confirmations_required, c.block_number, c.block_hash, c.halted_at is not null as halted,
  array(select chain_text(a.contract) from asset_networks a where a.network_id = n.id and a.contract is not null) as contracts
from networks n left join chain_cursors c on c.network_id = n.id
where n.id = $1`,
};
