import type { Statement } from '#server/db/database.ts';
import { effectPays } from '#server/sql/effect-pays.sql.ts';

/**
 * Ties effects to withdrawals whose transactions were named while their block was being written: both sides tie what they see,
 * and neither sees what the other has not committed. Looks at the blocks that this turn may have written and a hundred more, and
 * at open rows that still miss their effect. What was final as nobody's is open again, so that it is settled as somebody's.
 *
 * $1 network, $2 head, $3 how many blocks back
 */
export const tieEffectsSql: Statement = {
  name: 'tie_effects',
  text: `
with untied as (
  select e.id, t.withdrawal_id from chain_effects e join withdrawal_transactions t on t.transaction_hash = e.transaction_hash
  where e.network_id = $1 and e.block_number > $2::bigint - $3::bigint and e.withdrawal_id is null and e.state <> 'orphaned'
  union
  select e.id, w.id from withdrawals w
  join withdrawal_transactions t on t.withdrawal_id = w.id
  join chain_effects e on e.network_id = $1 and e.transaction_hash = t.transaction_hash
  where w.status in ('submitted', 'broadcast') and w.network_id = $1 and w.confirmations = 0
    and e.withdrawal_id is null and e.state <> 'orphaned'
)
update chain_effects e set withdrawal_id = w.id, state = 'included'
from untied u
join withdrawals w on w.id = u.withdrawal_id
join asset_networks n on n.asset_id = w.asset_id and n.network_id = w.network_id
where e.id = u.id and w.network_id = $1 and e.withdrawal_id is null
  and ${effectPays('e')}
returning e.id`,
};
