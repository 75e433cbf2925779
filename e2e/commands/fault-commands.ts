import fc from 'fast-check';
import { CUSTODY_FAULTS } from '#e2e/proof/nemesis/custody-faults.ts';
import { FAULT_POINTS } from '#server/fault-points.ts';
import { reorgAfterBlock } from '#server/operator/reorg-after-block.ts';
import type { CommandModel, CommandWorld } from './world.ts';

type Command = fc.AsyncCommand<CommandModel, CommandWorld>;

const WEBHOOKS = CUSTODY_FAULTS.map(({ kind }) => kind).filter((kind) => kind.startsWith('webhook_'));
const OTHERS = CUSTODY_FAULTS.map(({ kind }) => kind).filter((kind) => !kind.startsWith('webhook_'));

/** What the world may do: deliver a wake-up twice, forget Redis, kill a worker, break custody, its webhooks, clocks and the chain. */
export const faultCommands: fc.Arbitrary<Command>[] = [
  fc.nat().map(deliver),
  fc.constant(deed('flush', ({ stage }) => stage.flushRedis())),
  fc.constantFrom(...FAULT_POINTS.filter((point) => /^(C([5-9]|10)|R)/.test(point))).map(kill),
  fc.constantFrom(...OTHERS).map((kind) => fault('fault', kind)),
  fc.constantFrom(...WEBHOOKS).map((kind) => fault('webhook', kind)),
  fc.constantFrom(-4_000, 4_000).map(clock),
  fc.integer({ min: 1, max: 2 }).map(reorg),
];

function deed(name: string, run: (world: CommandWorld) => Promise<unknown>): Command {
  return {
    check: () => true,
    toString: () => name,
    run: async (_model, world) => {
      await run(world);
    },
  };
}

/** One more wake-up of a withdrawal, as a queue makes that loses its memory. */
function deliver(which: number): Command {
  const wake = deed(`deliver ${which}`, async ({ stage, history }) => {
    const keys = history.intents.map(({ idempotencyKey }) => idempotencyKey);
    const key = keys[which % keys.length];
    await stage.ask('insert into outbox (withdrawal_id) select id from withdrawals where idempotency_key = $1', [key]);
  });
  return { ...wake, check: ({ clicks }) => clicks > 0 };
}

/** Kills the only worker, which then dies once more at one of its fault points, and is started again. */
function kill(point: string): Command {
  return deed(`kill the worker, then at ${point}`, async ({ stage }) => {
    await stage.stop('worker');
    await stage.start('worker', { FAULT_POINTS: `${point}:kill@1` });
  });
}

function fault(name: string, kind: string): Command {
  return deed(`${name} ${kind}`, ({ stage }) =>
    stage.custody.setFault({ kind, count: 1, delayMs: 900, ...(kind === 'refuse_connection' ? { forMs: 500 } : {}) }),
  );
}

function clock(offsetMs: number): Command {
  return deed(`clock ${offsetMs} ms`, ({ stage }) =>
    stage.ask(`update protocol_settings set clock_offset = $1::integer * interval '1 millisecond'`, [offsetMs]),
  );
}

function reorg(depth: number): Command {
  return deed(`reorg ${depth}`, ({ stage }) => reorgAfterBlock(stage.askChain, depth));
}
