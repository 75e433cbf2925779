import fc from 'fast-check';
import { getAddress, toHex } from 'viem';
import type { Answer, Intent } from '#e2e/proof/workload/history.ts';
import { type CommandModel, type CommandWorld, intentOf } from './world.ts';

type Command = fc.AsyncCommand<CommandModel, CommandWorld>;

/** What a customer may do: click, press again, lose the answer, change the body, cancel. `which` chooses among the clicks so far. */
export const customerCommands: fc.Arbitrary<Command>[] = [
  fc.tuple(fc.uuid({ version: 4 }), fc.bigInt(1n, 2n ** 159n), fc.integer({ min: 1, max: 9_999 })).map(submit),
  fc.nat().map((which) => pressAgain('duplicate', which, 2)),
  fc.nat().map((which) => pressAgain('replay', which, 1)),
  fc.tuple(fc.nat(), fc.integer({ min: 0, max: 30 })).map(([which, leavesAfterMs]) => drop(which, leavesAfterMs)),
  fc.nat().map(otherBody),
  fc.nat().map(cancel),
];

function submit([idempotencyKey, receiver, cents]: [string, bigint, number]): Command {
  const address = getAddress(toHex(receiver, { size: 20 }));
  const amount = `2.${String(cents).padStart(4, '0')}`;
  return {
    check: () => true,
    toString: () => `submit ${idempotencyKey}`,
    run: async (model, world) => {
      const body = { asset: 'USDC', network: 'ethereum', address, memo: null, amount, feeMode: 'on_top' } as const;
      const who = { customerId: world.customer.customerId, phase: 'commands', habit: 'plain' } as const;
      world.history.intents.push({ ...who, number: model.clicks, idempotencyKey, body, answers: [] });
      model.clicks += 1;
      await press(model, world, model.clicks - 1, {});
    },
  };
}

function pressAgain(name: string, which: number, times: number): Command {
  return {
    check: ({ clicks }) => clicks > 0,
    toString: () => `${name} ${which}`,
    run: async (model, world) => {
      const presses = Array.from({ length: times }, () => press(model, world, which % model.clicks, {}));
      await Promise.all(presses);
    },
  };
}

function drop(which: number, leavesAfterMs: number): Command {
  return {
    check: ({ clicks }) => clicks > 0,
    toString: () => `drop ${which} after ${leavesAfterMs} ms`,
    run: (model, world) => press(model, world, which % model.clicks, { leavesAfterMs }),
  };
}

function otherBody(which: number): Command {
  return {
    check: ({ named }) => named.size > 0,
    toString: () => `other body ${which}`,
    run: async (model, world) => {
      const [number = 0] = [...model.named.keys()].slice(which % model.named.size);
      const intent = intentOf(world, number);
      const call = {
        procedure: 'withdrawal.request',
        key: intent.idempotencyKey,
        input: { ...intent.body, amount: '7' },
      };
      intent.answers.push(await world.customer.client.mutate('other_body', call));
    },
  };
}

function cancel(which: number): Command {
  return {
    check: ({ named }) => named.size > 0,
    toString: () => `cancel ${which}`,
    run: async (model, world) => {
      const [[number, withdrawalId] = [0, '']] = [...model.named].slice(which % model.named.size);
      const call = { procedure: 'withdrawal.cancel', input: { withdrawalId } };
      const answer = await world.customer.client.mutate('cancel', call);
      intentOf(world, number).answers.push(answer);
      if (answer.kind === 'cancelled') model.cancelled.add(number);
      if (answer.kind === 'too_late' && model.cancelled.has(number))
        throw new Error('a cancelled withdrawal came back');
    },
  };
}

async function press(
  model: CommandModel,
  world: CommandWorld,
  number: number,
  more: { leavesAfterMs?: number },
): Promise<void> {
  const intent: Intent = intentOf(world, number);
  const call = { procedure: 'withdrawal.request', key: intent.idempotencyKey, input: intent.body, ...more };
  const answer: Answer = await world.customer.client.mutate('request', call);
  intent.answers.push(answer);
  if (answer.withdrawalId === null) return;
  const first = model.named.get(number) ?? answer.withdrawalId;
  model.named.set(number, first);
  if (answer.withdrawalId !== first) throw new Error(`one key named ${first} and then ${answer.withdrawalId}`);
}
