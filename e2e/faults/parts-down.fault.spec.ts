import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { askApi, expectNoInsides, expectRefusal, requestWithdrawal } from '#e2e/support/api-call.ts';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { expectNothingPaid, expectPaidOnce, findStatus } from '#e2e/support/oracle.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';
import { stack } from '#e2e/support/running-stack.ts';
import { isHealthy } from '#stack/probes.ts';
import { waitUntil } from '#stack/wait-until.ts';

// Back-off of a minute at most, then the blocks.
const RECOVERED_WITHIN_MS = 150_000;

test.describe('a part that is down', () => {
  test.setTimeout(300_000);

  // The chain is asked to end: after a kill it would have forgotten its last minute, which is a reorg and another test.
  for (const { part, down, says } of [
    { part: 'custody', down: () => stack.kill('custody'), says: 'Our custodian does not answer at the moment.' },
    {
      part: 'redis',
      down: () => stack.kill('redis'),
      says: 'Many withdrawals are ahead of this one, or we are restarting.',
    },
    { part: 'chain', down: () => stack.stop('chain'), says: 'Our custodian has it and is signing the transaction.' },
  ]) {
    test(`${part}: a request is accepted all the same, waits, and is paid once when it is back`, async ({
      page,
      customer,
    }) => {
      const order = { customerId: customer.userId, address: freshAddress(), amount: '4' };
      const button = await openReview(page, order);
      await down();
      try {
        await button.click();
        await expectWithdrawalPage(page);
        expect(await findStatus(order.customerId)).not.toBe('refused');
        await expect(page.getByText(says).first()).toBeVisible();
        await expect(page.getByText(/failed|not sent\b/i)).toHaveCount(0);
      } finally {
        await stack.start(part);
      }
      await expectPaidOnce(order, { withinMs: RECOVERED_WITHIN_MS });
    });
  }

  test('DB10: Postgres gone, a request is refused clearly, nothing is reserved, and the same key may be sent again', async ({
    context,
    customer,
  }) => {
    const order = { customerId: customer.userId, address: freshAddress(), amount: '4' };
    const body = { asset: 'USDC', network: 'ethereum', memo: null, amount: order.amount, address: order.address };
    const key = randomUUID();
    // Asked to end, not killed: behind a killed postmaster its sessions live on for a moment, and a statement handed to one
    // of them is unknown and not refused.
    await stack.stop('postgres');
    try {
      const refused = await requestWithdrawal(context.request, { key, body });
      expectRefusal(refused, 'service_unavailable', 503, 'a request');
      expect(refused.retryAfter).toBeDefined();
      const lookedUp = await askApi(context.request, 'withdrawal.byKey', { idempotencyKey: key });
      expect(lookedUp.status).toBe(503);
      expectNoInsides(lookedUp, 'a look-up');
      expect(await isHealthy(`${stack.urls.web}/health/live`)).toBe(true);
      expect(await isHealthy(`${stack.urls.web}/health/ready`)).toBe(false);
    } finally {
      await stack.start('postgres');
    }
    for (const url of [stack.urls.web, stack.urls.custody, stack.urls.workerHealth]) {
      await waitUntil(() => isHealthy(`${url}/health/ready`), { what: `${url} did not come back`, withinMs: 60_000 });
    }
    await expectNothingPaid(order);
    expect((await requestWithdrawal(context.request, { key, body })).status).toBe(200);
    await expectPaidOnce(order, { withinMs: RECOVERED_WITHIN_MS });
  });
});
