import type { Statement } from '#server/db/database.ts';

/**
 * The confirmations of every withdrawal that is under way on a network, as of a head; 0 where a reorg dropped its effect. Only
 * rows whose number changes are written. Reads the open rows and their effects, never the history.
 *
 * $1 network, $2 head
 */
export const countConfirmationsSql: Statement = {
  name: 'count_confirmations',
  text: `
update withdrawals w set confirmations = c.confirmations
from (
  select x.id, coalesce((select greatest(0, $2::bigint - max(e.block_number) + 1) from chain_effects e
      where e.withdrawal_id = x.id and e.state in ('included', 'final')), 0)::integer as confirmations
  from withdrawals x where x.status in ('submitted', 'broadcast') and x.network_id = $1
) c
where w.id = c.id and w.status in ('submitted', 'broadcast') and w.confirmations <> c.confirmations
returning w.id`,
};
