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

/**
 * Waits until nothing is under way any more, with the chain's time running faster. What waits for people is under way, for they are
 * on duty.
 *
 * @param input.until `sent`: every row is at custody or at its end; `ended`: every row is at its end
 * @returns what is still under way when the time is over; empty is success
 */
export async function settle(
  world: Books,
  input: { until: 'sent' | 'ended'; withinMs: number; signal: AbortSignal },
): Promise<readonly OpenRow[]> {
  const deadline = performance.now() + input.withinMs;
  for (;;) {
    const open = await world.ask<OpenRow>(FIND_OPEN, [input.until === 'ended']);
    if (open.length === 0 || performance.now() > deadline || input.signal.aborted) return open;
    await world.askChain('anvil_mine', [`0x${BLOCKS_A_LOOK.toString(16)}`]);
    await sleep(LOOK_EVERY_MS);
  }
}

const FIND_OPEN = `
  select id, status, parked_reason as "parkedReason", wait_reason as "waitReason" from withdrawals
  where status in ('awaiting_approval', 'queued', 'dispatching', 'in_doubt')
    or ($1::boolean and status in ('submitted', 'broadcast'))
  order by requested_at`;
