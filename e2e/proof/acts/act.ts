import { setTimeout as sleep } from 'node:timers/promises';
import { getAddress } from 'viem';
import type { Keeper } from '../nemesis/keep-alive.ts';
import type { Staff } from '../people/staff.ts';
import type { ProofWorld } from '../proof-world.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { History, Intent, WithdrawalBody } from '../workload/history.ts';
import { liveIntent } from '../workload/live-intent.ts';
import type { Customer } from '../workload/open-customers.ts';

/** What chance brings too seldom, played as written while nothing else is broken. */
export interface Act {
  readonly name: string;
  /** @throws when it did not come to what it is about */
  readonly run: (tools: ActTools) => Promise<void>;
}

/** How long something took, and how long it was promised to take. */
export interface Measured {
  readonly name: string;
  readonly ms: number;
  readonly promisedMs: number;
}

export interface ActTools {
  readonly world: ProofWorld;
  readonly keeper: Keeper;
  readonly staff: Staff;
  /** Without limits, and one whose larger requests wait for an approval. */
  readonly customers: readonly [Customer, ...Customer[]];
  readonly smallCustomer: Customer;
  readonly history: History;
  readonly random: SeededRandom;
  /** Keeps how long something took, and how long it may take. */
  readonly measure: (name: string, ms: number, promisedMs: number) => void;
}

export interface ActRow {
  readonly id: string;
  readonly status: string;
  readonly parkedReason: string | null;
  readonly waitReason: string | null;
  /** When somebody looks at it again. */
  readonly isDated: boolean;
  readonly hashes: number;
  /** The steps it has made, `from to` each. */
  readonly moves: readonly string[];
}

/** One click of one customer under the act's name, pressed until they know. */
export async function click(
  tools: ActTools,
  input: { act: string; key?: string; customer?: Customer; body?: Partial<WithdrawalBody> },
): Promise<Intent> {
  const { random, history } = tools;
  const [first] = tools.customers;
  const customer = input.customer ?? first;
  const address = getAddress(`0x${Array.from({ length: 40 }, () => random.int(0, 15).toString(16)).join('')}`);
  const intent: Intent = {
    number: history.intents.length + 1,
    phase: input.act,
    habit: 'plain',
    customerId: customer.customerId,
    idempotencyKey: input.key ?? random.uuid(),
    body: { asset: 'USDC', network: 'ethereum', address, memo: null, amount: '2.5', feeMode: 'on_top', ...input.body },
    answers: [],
  };
  history.intents.push(intent);
  await liveIntent({ customer, stranger: customer, random }, intent);
  return intent;
}

/** The customer takes it back, and is answered. @throws when it was too late */
export async function cancel(tools: ActTools, intent: Intent): Promise<void> {
  const customer = [...tools.customers, tools.smallCustomer].find(({ customerId }) => customerId === intent.customerId);
  const withdrawalId = intent.answers.find((answer) => answer.withdrawalId !== null)?.withdrawalId;
  if (customer === undefined || !withdrawalId) throw new Error('nobody may cancel this');
  const answer = await customer.client.mutate('cancel', { procedure: 'withdrawal.cancel', input: { withdrawalId } });
  intent.answers.push(answer);
  if (answer.kind !== 'cancelled') throw new Error(`cancelling was answered ${answer.status} ${answer.kind}`);
}

/** Waits until the row of a key is as it should be, with the chain's time running. @throws at the deadline, saying where it stood */
export async function reach(
  tools: ActTools,
  key: string,
  wanted: (row: ActRow) => boolean,
  options: { withinMs?: number; blocks?: number } = {},
): Promise<ActRow> {
  const { withinMs = 60_000, blocks = 3 } = options;
  const deadline = performance.now() + withinMs;
  for (;;) {
    const [row] = await tools.world.ask<ActRow>(FIND_ROW, [key]);
    if (row !== undefined && wanted(row)) return row;
    if (performance.now() > deadline) throw new Error(`${row?.id ?? key} stands at ${row?.status ?? 'nothing'}`);
    if (blocks > 0) await tools.world.askChain('anvil_mine', [`0x${blocks.toString(16)}`]);
    await sleep(LOOK_EVERY_MS);
  }
}

/** Waits until a row has made this step. @throws at the deadline */
export const reachMove = (tools: ActTools, key: string, from: string, to: string): Promise<ActRow> =>
  reach(tools, key, ({ moves }) => moves.includes(`${from} ${to}`));

export const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled', 'rejected', 'refused']);

/** What else an act waits for is looked at as often. */
export const LOOK_EVERY_MS = 200;
const FIND_ROW = `
  select w.id, w.status, w.parked_reason as "parkedReason", w.wait_reason as "waitReason", w.next_action_at is not null as "isDated",
    (select count(*)::int from withdrawal_transactions t where t.withdrawal_id = w.id) as hashes,
    (select array_agg(coalesce(h.from_status, '') || ' ' || h.to_status) from withdrawal_history h where h.withdrawal_id = w.id) as moves
  from withdrawals w where w.idempotency_key = $1`;
