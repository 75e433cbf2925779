import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../seeded-random.ts';
import type { Call } from './api-client.ts';
import type { Answer, Intent } from './history.ts';
import type { Customer } from './open-customers.ts';

// An outage of the nemesis ends within seconds; a customer who gave up before would leave nothing to check.
const ANSWER_WITHIN_MS = 60_000;
// What our page waits between two tries of the same key.
const RETRY_MS = { min: 150, max: 700 } as const;

/** One click with all that its customer does about it. Resolves when the customer knows how it ended, or walks away. */
export async function liveIntent(
  deps: { customer: Customer; stranger: Customer; random: SeededRandom },
  intent: Intent,
): Promise<void> {
  const { customer, random } = deps;
  const press = (more: Partial<Call> = {}) => request(deps, intent, more);
  switch (intent.habit) {
    case 'plain':
    case 'too_much':
      await askUntilKnown(deps, intent);
      return;
    case 'double_press':
      await Promise.all([press(), press()]);
      await askUntilKnown(deps, intent);
      return;
    case 'impatient':
      await Promise.all([press({ leavesAfterMs: random.int(1, 60) }), press(), press({ leavesAfterMs: 5 })]);
      await askUntilKnown(deps, intent);
      await press();
      return;
    case 'answer_lost':
      await press({ leavesAfterMs: random.int(0, 25) });
      await askUntilKnown(deps, intent);
      return;
    case 'cancels': {
      const known = await askUntilKnown(deps, intent);
      await sleep(random.chance(0.5) ? 0 : random.int(50, 1_500));
      if (known?.withdrawalId) await cancel(customer, intent, known.withdrawalId);
      return;
    }
    case 'replays_later':
      await askUntilKnown(deps, intent);
      await sleep(random.int(2_000, 6_000));
      await Promise.all([press(), press()]);
      return;
    case 'gives_up':
      await giveUpBeside(deps, intent, press);
      return;
    case 'other_body': {
      if ((await askUntilKnown(deps, intent)) === null) return;
      const input = { ...intent.body, amount: '3.5' };
      const call = { procedure: 'withdrawal.request', key: intent.idempotencyKey, input };
      intent.answers.push(await customer.client.mutate('other_body', call));
      return;
    }
    case 'stolen_key': {
      if ((await askUntilKnown(deps, intent)) === null) return;
      const call = { procedure: 'withdrawal.request', key: intent.idempotencyKey, input: intent.body };
      intent.answers.push(await deps.stranger.client.mutate('stolen_key', call));
      return;
    }
  }
}

async function request({ customer }: { customer: Customer }, intent: Intent, more: Partial<Call>): Promise<Answer> {
  const call = { procedure: 'withdrawal.request', key: intent.idempotencyKey, input: intent.body, ...more };
  const answer = await customer.client.mutate('request', call);
  intent.answers.push(answer);
  return answer;
}

/** The same key until an answer says how it ended. */
async function askUntilKnown(
  deps: { customer: Customer; random: SeededRandom },
  intent: Intent,
): Promise<Answer | null> {
  const deadline = performance.now() + ANSWER_WITHIN_MS;
  while (performance.now() < deadline) {
    const answer = await request(deps, intent, {});
    if (isDefinitive(answer)) return answer;
    await sleep(deps.random.int(RETRY_MS.min, RETRY_MS.max));
  }
  return null;
}

function isDefinitive({ status }: Answer): boolean {
  return status !== null && status !== 429 && status < 500;
}

async function cancel(customer: Customer, intent: Intent, withdrawalId: string): Promise<void> {
  const call = { procedure: 'withdrawal.cancel', input: { withdrawalId } };
  for (let tried = 0; tried < 5; tried += 1) {
    const answer = await customer.client.mutate('cancel', call);
    intent.answers.push(answer);
    if (isDefinitive(answer)) return;
    await sleep(RETRY_MS.max);
  }
}

/** Gives the key up before, beside or after its request: whichever comes first decides, and both say the same. */
async function giveUpBeside(
  deps: { customer: Customer; random: SeededRandom },
  intent: Intent,
  press: (more?: Partial<Call>) => Promise<Answer>,
): Promise<void> {
  const { customer, random } = deps;
  const call = { procedure: 'withdrawal.giveUp', input: { idempotencyKey: intent.idempotencyKey } };
  const giveUp = async () => {
    for (let tried = 0; tried < 20; tried += 1) {
      const answer = await customer.client.mutate('give_up', call);
      intent.answers.push(answer);
      if (isDefinitive(answer)) return;
      await sleep(RETRY_MS.max);
    }
  };
  const order = random.int(1, 3);
  if (order === 1) await giveUp();
  if (order === 2) await Promise.all([press(), giveUp()]);
  if (order === 3) await press({ leavesAfterMs: random.int(0, 10) });
  await giveUp();
  await press();
}
