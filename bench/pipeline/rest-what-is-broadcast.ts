import type { BenchHouse } from '../harness/bench-house.ts';

/**
 * Nobody reads a chain here, so what is on the network would be looked after for as long as the bench runs, in the turns of everybody:
 * a tenth of what our own cost Postgres were looks at withdrawals of earlier rounds. What a round itself brings is looked at in it.
 */
export async function restWhatIsBroadcast(house: BenchHouse): Promise<void> {
  await house.run(
    `update withdrawals set next_action_at = protocol_now() + interval '1 day' where status = 'broadcast'`,
  );
}
