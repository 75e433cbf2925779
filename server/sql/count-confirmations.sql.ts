import type { Statement } from '#server/db/database.ts';

/**
 * The confirmations of every withdrawal that is under way on a network, as of a head; 0 where a reorg dropped its effect. Only
 * rows whose number changes are written, locked in the order of their ids, as every statement for many locks them. Reads the open
 * rows and their effects, never the history.
 *
 * $1 network, $2 head
 */
export const countConfirmationsSql: Statement = {
  name: 'count_confirmations',
  text: `
with counted as materialized (
  select x.id, x.confirmations as before, coalesce((select greatest(0, $2::bigint - max(e.block_number) + 1) from chain_effects e
      where e.withdrawal_id = x.id and e.state in ('included', 'final')), 0)::integer as confirmations
  from withdrawals x where x.status in ('submitted', 'broadcast') and x.network_id = $1
), locked as (
  select w.id, c.confirmations from counted c join withdrawals w on w.id = c.id
  where c.confirmations <> c.before order by w.id for no key update of w
)
update withdrawals w set confirmations = l.confirmations
from locked l
where w.id = l.id and w.status in ('submitted', 'broadcast') and w.confirmations <> l.confirmations
returning w.id`,
};
