import type { Statement } from '#server/db/database.ts';

/**
 * Effects that are tied to a withdrawal, deep enough to count, and not settled: those of withdrawals under way, newly final or
 * named only after they were, and newly final ones of withdrawals that have ended. Both halves read only what is open.
 *
 * $1 network, $2 head
 */
export const findFinalPaymentsSql: Statement = {
  name: 'find_final_payments',
  text: `
select p.id, ($2::bigint - p.block_number + 1)::integer as confirmations
from (
  select e.id, e.block_number, w.confirmations_required
  from withdrawals w join chain_effects e on e.withdrawal_id = w.id
  where w.status in ('submitted', 'broadcast') and w.network_id = $1 and e.network_id = $1 and e.state in ('included', 'final')
  union all
  select e.id, e.block_number, w.confirmations_required
  from chain_effects e join withdrawals w on w.id = e.withdrawal_id
  where e.network_id = $1 and e.state = 'included' and w.status in ('completed', 'failed', 'cancelled', 'rejected', 'refused')
) p, networks n
where n.id = $1 and p.block_number <= $2::bigint + 1 - greatest(finality_at(n, $2), p.confirmations_required)
order by p.id limit 500`,
};
