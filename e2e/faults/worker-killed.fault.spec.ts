import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { custody } from '#e2e/support/custody-control.ts';
import { test } from '#e2e/support/customer-test.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';
import { stack } from '#e2e/support/running-stack.ts';
import { waitUntil } from '#stack/wait-until.ts';

// A job whose worker died is given again after its lock of 30 s; then the doubt is looked into.
const RECOVERED_WITHIN_MS = 150_000;

test.describe('Q08, CU02: a worker killed between custody’s acceptance and the recorded result', () => {
  test.setTimeout(240_000);

  test.beforeEach(async ({ customer }, testInfo) => {
    expect(customer.userId).toBeTruthy();
    await stack.restart('worker', {
      FAULT_POINTS: 'C8:kill@1',
      FAULT_POINTS_FILE: reachedFile(testInfo.testId),
    });
  });

  test.afterEach(async () => {
    await custody.clearFaults();
    await stack.restart('worker');
  });

  for (const { title, withEvents } of [
    { title: 'pays once, told by custody’s events', withEvents: true },
    { title: 'pays once with every event lost, by looking the reference up', withEvents: false },
  ]) {
    test(title, async ({ page, customer }, testInfo) => {
      const order = { customerId: customer.userId, address: freshAddress(), amount: '11' };
      if (!withEvents) await custody.setFault({ kind: 'webhook_lost', share: 1 });
      const button = await openReview(page, order);
      await button.click();
      await expectWithdrawalPage(page);
      await waitUntil(async () => !(await isRunning('worker')), {
        what: 'the worker did not kill itself',
        withinMs: 20_000,
      });
      expect(readFileSync(reachedFile(testInfo.testId), 'utf8')).toContain('"point":"C8","visit":1');
      await stack.start('worker');
      const paid = await expectPaidOnce(order, { withinMs: RECOVERED_WITHIN_MS });
      const sent = (await custody.readRequests()).filter(({ externalId }) => externalId === paid.idempotencyKey);
      expect(new Set(sent.map(({ bodyHash }) => bodyHash)).size, 'different bodies under one key').toBe(1);
      await page.reload();
      await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'completed');
    });
  }
});

function reachedFile(testId: string): string {
  return join(stack.stateFolder, `reached-${testId}.jsonl`);
}

async function isRunning(name: string): Promise<boolean> {
  return (await stack.processes()).some((process) => process.name === name && process.state === 'running');
}
