import type { BenchHouse } from '../harness/bench-house.ts';

/**
 * Between rounds. Nobody reads a chain here, so what is on the network would be looked after for as long as the bench runs, in the turns of everybody:
 * 6 % of what Postgres did for ours were looks at withdrawals of earlier rounds. What a round itself brings is looked at in it.
 */
export async function tidyHouse(house: BenchHouse): Promise<void> {
  // Locked in the order in which the worker locks them, which may be at some of them now.
  await house.run(`with resting as (select w.id from withdrawals w where w.status = 'broadcast' order by w.id for no key update)
    update withdrawals w set next_action_at = protocol_now() + interval '1 day' from resting r where w.id = r.id`);
  await house.run('vacuum analyze withdrawals, customer_balances');
}
