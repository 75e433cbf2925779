import { setTimeout as sleep } from 'node:timers/promises';
import type { Books } from './proof-world.ts';

export interface OpenRow {
  readonly id: string;
  readonly status: string;
  readonly parkedReason: string | null;
  readonly waitReason: string | null;
}

// The dev chain makes a block a second; confirmations need not take their time.
const BLOCKS_A_LOOK = 3;
const LOOK_EVERY_MS = 500;
// What ends by itself has ended by then; what people must end waits for them no longer.
const PEOPLE_EVERY_MS = 4_000;

/**
 * Waits until nothing is under way any more, with the chain's time running faster. A row that waits for people is under way
 * only where there are people.
 *
 * @param input.until `sent`: every row is at custody or at its end; `ended`: every row is at its end
 * @param input.people comes by every few seconds
 * @returns what is still under way when the time is over; empty is success
 */
export async function settle(
  world: Books,
  input: { until: 'sent' | 'ended'; withinMs: number; signal: AbortSignal; people?: () => Promise<void> },
): Promise<readonly OpenRow[]> {
  let peopleAt = performance.now() + PEOPLE_EVERY_MS;
  const deadline = performance.now() + input.withinMs;
  const statuses = ['awaiting_approval', 'queued', 'dispatching', 'in_doubt'];
  if (input.until === 'ended') statuses.push('submitted', 'broadcast');
  for (;;) {
    const open = await world.ask<OpenRow>(FIND_OPEN, [statuses, input.people !== undefined]);
    if (open.length === 0 || performance.now() > deadline || input.signal.aborted) return open;
    if (input.people !== undefined && performance.now() > peopleAt) {
      await input.people();
      peopleAt = performance.now() + PEOPLE_EVERY_MS;
    }
    await world.askChain('anvil_mine', [`0x${BLOCKS_A_LOOK.toString(16)}`]);
    await sleep(LOOK_EVERY_MS);
  }
}

const FIND_OPEN = `
  select id, status, parked_reason as "parkedReason", wait_reason as "waitReason" from withdrawals
  where status = any($1::text[]) and ($2::boolean or parked_at is null) order by requested_at`;

/**
 * What people do after custody was seen to contradict itself: they close the case and let the customer and the asset go on.
 * Without them a stop stays, and rightly.
 *
 * @returns how many cases were closed, by kind
 */
export async function endStopsByPeople(world: Books): Promise<Readonly<Record<string, number>>> {
  const closed = await world.ask<{ kind: string }>(
    `update cases set closed_at = protocol_now(), closed_reason = 'seen by the people of this proof'
     where closed_at is null returning kind`,
  );
  await world.ask(
    `update customers set payouts_stopped_at = null, payouts_stopped_reason = null where payouts_stopped_at is not null`,
  );
  await world.ask(
    `update switches set resume_proposed_by = 'first', resume_proposed_at = protocol_now() where resumed_at is null`,
  );
  await world.ask(`update switches set resumed_by = 'second', resumed_at = protocol_now() where resumed_at is null`);
  const counts: Record<string, number> = {};
  for (const { kind } of closed) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
