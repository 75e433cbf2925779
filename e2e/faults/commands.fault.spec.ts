import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { customerCommands } from '#e2e/commands/customer-commands.ts';
import { faultCommands } from '#e2e/commands/fault-commands.ts';
import { judgeWorld } from '#e2e/commands/judge-world.ts';
import { type CommandWorld, createModel } from '#e2e/commands/world.ts';
import { borrowStack, type SharedStage } from '#e2e/proof/shared-stack.ts';
import { fillHotWallet } from '#e2e/proof/workload/fill-hot-wallet.ts';
import { createHistory } from '#e2e/proof/workload/history.ts';
import { openCustomers } from '#e2e/proof/workload/open-customers.ts';
import { stack } from '#e2e/support/running-stack.ts';

// Few in a test run; COMMANDS_RUNS makes a night of it. The seed is the one that playwright.config.ts names, or COMMANDS_SEED.
const RUNS = Number(process.env.COMMANDS_RUNS ?? 2);
const SEED = Number(process.env.COMMANDS_SEED);
const COMMANDS_MAX = 25;
const RUN_WITHIN_MS = 180_000;

test(`any order of clicks and faults ends with one transfer a withdrawal (seed ${SEED}, ${RUNS} runs)`, async () => {
  test.setTimeout(120_000 + RUNS * RUN_WITHIN_MS);
  const stage: SharedStage = await borrowStack(stack);
  try {
    const wallet = await fillHotWallet(stage.books);
    const everything = fc.commands([...customerCommands, ...faultCommands], { maxCommands: COMMANDS_MAX, size: 'max' });
    await fc.assert(
      fc.asyncProperty(everything, async (commands) => {
        const history = createHistory();
        const [customer] = await openCustomers({ world: stage.books, history }, { count: 1 });
        if (customer === undefined) throw new Error('nobody signed up');
        const world: CommandWorld = { stage, customer, history };
        await fc.asyncModelRun(() => ({ model: createModel(), real: world }), commands);
        expect(await judgeWorld(world, { wallet })).toEqual([]);
      }),
      // A run takes half a minute: the seed and the order are told, and no smaller ones are looked for.
      { seed: SEED, numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
    );
  } finally {
    await stage.giveBack();
  }
});
