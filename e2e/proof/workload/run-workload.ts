import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../seeded-random.ts';
import type { History } from './history.ts';
import { liveIntent } from './live-intent.ts';
import { makeIntent } from './make-intent.ts';
import type { Customer } from './open-customers.ts';

/** Customers who do not hear from us press slower, like people; more than this wait at no time. */
const OPEN_MAX = 150;

/**
 * Lets customers click at a steady pace and resolves when each of them knows how it ended.
 *
 * @param input.perSecond clicks, not requests: a click may be pressed three times
 * @param input.onLastClick nobody clicks any more; some still press again
 */
export async function runWorkload(
  deps: { customers: readonly Customer[]; random: SeededRandom; history: History; signal: AbortSignal },
  input: { withdrawals: number; perSecond: number; phase: string; onClick: () => void; onLastClick?: () => void },
): Promise<void> {
  const { customers, random, history, signal } = deps;
  const open = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let clicked = 0; clicked < input.withdrawals && !signal.aborted; clicked += 1) {
    const dueInMs = startedAt + (clicked * 1_000) / input.perSecond - performance.now();
    if (dueInMs > 0) await sleep(dueInMs);
    while (open.size >= OPEN_MAX) await Promise.race(open);
    const customer = random.pick(customers);
    const stranger = random.pick(customers.filter((other) => other !== customer));
    const intent = makeIntent(random, { number: history.intents.length + 1, phase: input.phase, customer });
    history.intents.push(intent);
    input.onClick();
    const own = random.branch(intent.idempotencyKey);
    const life = liveIntent({ customer, stranger, random: own }, intent).finally(() => open.delete(life));
    open.add(life);
  }
  input.onLastClick?.();
  await Promise.all(open);
}
