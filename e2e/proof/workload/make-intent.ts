import { getAddress } from 'viem';
import type { SeededRandom } from '../seeded-random.ts';
import type { Habit, Intent, WithdrawalBody } from './history.ts';
import type { Customer } from './open-customers.ts';

/** How customers behave, out of a hundred. */
const HABITS: readonly (readonly [Habit, number])[] = [
  ['plain', 37],
  ['double_press', 15],
  ['impatient', 12],
  ['answer_lost', 14],
  ['cancels', 8],
  ['replays_later', 5],
  ['gives_up', 3],
  ['other_body', 2],
  ['stolen_key', 2],
  ['too_much', 2],
];

const ASSETS: readonly WithdrawalBody['asset'][] = ['USDC', 'USDC', 'USDC', 'USDT', 'USDT', 'ETH'];

/** One reviewed request: an address nobody used before makes every count on the chain exact. */
export function makeIntent(random: SeededRandom, input: { number: number; phase: string; customer: Customer }): Intent {
  const habit = chooseHabit(random);
  const asset = random.pick(ASSETS);
  const address = getAddress(`0x${Array.from({ length: 40 }, () => random.int(0, 15).toString(16)).join('')}`);
  const places = String(random.int(1, 9_999)).padStart(4, '0');
  const amount = asset === 'ETH' ? `0.02${places}` : `${random.int(2, 9)}.${places}`;
  return {
    number: input.number,
    phase: input.phase,
    habit,
    customerId: input.customer.customerId,
    idempotencyKey: random.uuid(),
    body: {
      asset,
      network: 'ethereum',
      address,
      memo: null,
      amount: habit === 'too_much' ? '900000000' : amount,
      feeMode: random.chance(0.8) ? 'on_top' : 'from_amount',
    },
    answers: [],
  };
}

function chooseHabit(random: SeededRandom): Habit {
  let left = random.int(1, 100);
  for (const [habit, share] of HABITS) {
    left -= share;
    if (left <= 0) return habit;
  }
  return 'plain';
}
