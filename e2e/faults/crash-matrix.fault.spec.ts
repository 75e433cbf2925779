import { expect, test } from '@playwright/test';
import { nameOf, sampleCells } from '#e2e/proof/matrix/cell.ts';
import { runCell } from '#e2e/proof/matrix/run-cell.ts';
import { createSeededRandom } from '#e2e/proof/seeded-random.ts';
import { borrowStack, type SharedStage } from '#e2e/proof/shared-stack.ts';
import { fillHotWallet } from '#e2e/proof/workload/fill-hot-wallet.ts';
import { createHistory } from '#e2e/proof/workload/history.ts';
import { type Customer, openCustomers } from '#e2e/proof/workload/open-customers.ts';
import { stack } from '#e2e/support/running-stack.ts';

// The whole is `npm run proof -- --matrix`; this is the sample of the seed that playwright.config.ts names, or MATRIX_SEED.
const CELLS = Number(process.env.MATRIX_CELLS ?? 10);
const SEED = Number(process.env.MATRIX_SEED);

test.describe(`a crash (seed ${SEED})`, () => {
  let stage: SharedStage;
  let customer: Customer;
  const random = createSeededRandom(SEED);
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    stage = await borrowStack(stack);
    await fillHotWallet(stage.books);
    const people = { world: stage.books, history: createHistory() };
    const [opened] = await openCustomers(people, { count: 1 });
    if (opened === undefined) throw new Error('nobody signed up');
    customer = opened;
  });
  test.afterAll(async () => {
    test.setTimeout(120_000);
    await stage.giveBack();
  });

  for (const cell of sampleCells(random.branch('cells'), CELLS)) {
    test(`EC41: at ${nameOf(cell)} pays once or not at all`, async () => {
      test.setTimeout(180_000);
      const result = await runCell({ stage, customer, random: random.branch(nameOf(cell)) }, cell);
      expect(result.broken).toBeNull();
      expect(result.struck, 'the crash happened').toBe(true);
    });
  }
});
