import { expect } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { custody } from '#e2e/support/custody-control.ts';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';
import { waitUntil } from '#stack/wait-until.ts';

// Longer than our own time-out of 25 s to custody.
const LATE_MS = 27_000;
const IN_DOUBT_WITHIN_MS = 40_000;
// The quiet period of 40 s, a look-up, and the blocks.
const RECOVERED_WITHIN_MS = 120_000;

test.describe('custody answers after our time-out', () => {
  test.setTimeout(240_000);
  test.afterEach(custody.clearFaults);

  for (const { title, kind } of [
    { title: 'with the transfer made at once: it is found and paid once', kind: 'slow' },
    { title: 'with the transfer made after we stopped listening: it is found and paid once', kind: 'execute_late' },
  ]) {
    test(title, async ({ page, customer }) => {
      const order = { customerId: customer.userId, address: freshAddress(), amount: '13' };
      // Without events only our own look-up can end the doubt.
      await custody.setFault({ kind: 'webhook_lost', share: 1 });
      await custody.setFault({ kind, delayMs: LATE_MS });
      const button = await openReview(page, order);
      await button.click();
      await expectWithdrawalPage(page);
      await waitUntil(() => wasInDoubt(order.customerId), {
        what: 'the time-out was not recorded as doubt',
        withinMs: IN_DOUBT_WITHIN_MS,
      });
      // A transfer that is there already is found within a second; one that is not yet is being checked for a while.
      if (kind === 'execute_late') {
        await expect(page.getByTestId('withdrawal-status')).toHaveText('Sending, being checked');
      }
      await expect(page.getByText(/failed|not sent/i)).toHaveCount(0);
      const paid = await expectPaidOnce(order, { withinMs: RECOVERED_WITHIN_MS });
      const sent = (await custody.readRequests()).filter(({ externalId }) => externalId === paid.idempotencyKey);
      expect(new Set(sent.map(({ bodyHash }) => bodyHash)).size, 'different bodies under one key').toBeLessThanOrEqual(
        1,
      );
    });
  }
});

async function wasInDoubt(customerId: string): Promise<boolean> {
  const rows = await askDatabase(
    `select 1 from withdrawal_history h join withdrawals w on w.id = h.withdrawal_id
     where w.customer_id = $1 and h.to_status = 'in_doubt'`,
    [customerId],
  );
  return rows.length > 0;
}
