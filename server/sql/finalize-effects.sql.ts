import type { Statement } from '#server/db/database.ts';

/**
 * Effects that are nobody's payment and deep enough are final, so that a later name finds them so.
 *
 * $1 network, $2 head
 */
export const finalizeEffectsSql: Statement = {
  name: 'finalize_effects',
  text: `
update chain_effects e set state = 'final'
from networks n
where n.id = $1 and e.network_id = $1 and e.state = 'included' and e.withdrawal_id is null
  and e.block_number <= $2::bigint + 1 - finality_at(n, $2)`,
};
