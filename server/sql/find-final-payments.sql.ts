import type { Statement } from '#server/db/database.ts';

/**
 * Effects that are tied to a withdrawal and deep enough to count, and have not been settled: newly final ones, and final ones
 * whose withdrawal is still under way because it was named later or a crash came between.
 *
 * $1 network, $2 head
 */
export const findFinalPaymentsSql: Statement = {
  name: 'find_final_payments',
  text: `
select e.id, ($2::bigint - e.block_number + 1)::integer as confirmations
from chain_effects e join withdrawals w on w.id = e.withdrawal_id join networks n on n.id = e.network_id
where e.network_id = $1 and e.withdrawal_id is not null
  and e.block_number <= $2::bigint + 1 - greatest(n.confirmations_required, w.confirmations_required)
  and (e.state = 'included' or (e.state = 'final' and w.status in ('submitted', 'broadcast')))
order by e.id limit 500`,
};
