import { expect, type Page } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { keepPicture } from '#e2e/support/look-at.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { signInAsDemo, signInByForm } from '#e2e/support/people.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';

// Twelve blocks of a second at the chain's own pace, and a page that asks every 15 s while they are counted.
const COMPLETED_WITHIN_MS = 60_000;

test('a customer withdraws USDC and sees every step and the transaction; an operator sees it too', async ({
  page,
  context,
  browser,
  customer,
}) => {
  await context.clearCookies();
  await page.goto('/withdraw');
  await signInByForm(page, customer);

  const order = { customerId: customer.userId, address: freshAddress(), amount: '12.345678' };
  const button = await openReview(page, order);
  await expect(page.getByText(order.address)).toBeVisible();
  await expect(button).toHaveText('Withdraw 12.345678 USDC');
  await button.click();
  await expectWithdrawalPage(page);
  const withdrawalId = page.url().split('/').at(-1) ?? '';
  await expectSteps(page);
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'completed', {
    timeout: COMPLETED_WITHIN_MS,
  });
  await expect(page.getByText(/^(1[2-9]|[2-9]\d) of 12 confirmations$/)).toBeVisible();
  const paid = await expectPaidOnce(order);
  expect(paid.withdrawalId).toBe(withdrawalId);
  await expect(page.getByTestId('transaction-hash')).toHaveText(paid.transactionHash);

  await page.getByRole('button', { name: 'Why only once?' }).click();
  await expect(page.getByText('One transfer.')).toBeVisible();
  await keepPicture(page, 'withdrawal-completed', { isWhole: true });

  const desk = await browser.newContext();
  await expectOperatorSees(await desk.newPage(), { ...paid, email: customer.email });
  await desk.close();
});

async function expectSteps(page: Page): Promise<void> {
  const steps = page.getByRole('listitem').filter({ hasText: /^(Requested|Sending|On the network|Completed)/ });
  await expect(steps).toHaveCount(4);
  await expect(page.getByTestId('transaction-hash')).toHaveText(/^0x[0-9a-f]{64}$/);
  await expect(page.getByText(/^\d+ of 12 confirmations$/)).toBeVisible();
}

async function expectOperatorSees(
  page: Page,
  seen: { withdrawalId: string; transactionHash: string; email: string },
): Promise<void> {
  await signInAsDemo(page, 'Olga', '/operator/withdrawals');
  // What the page asked for by itself has come: it listens by now.
  await page
    .getByText(/Updated/)
    .first()
    .waitFor();
  await page.getByLabel('Search', { exact: true }).fill(seen.withdrawalId);
  await page.getByRole('button', { name: 'Find' }).click();
  const row = page.getByRole('row').filter({ hasText: seen.withdrawalId });
  await expect(row).toContainText(seen.email);
  await expect(row).toContainText('Completed');
  await row.getByRole('link').click();
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'completed');
  const timeline = page.getByRole('listitem');
  for (const kind of ['Status: queued → dispatching', 'Attempt: send 1: accepted', 'Ledger: post', 'Event: transfer']) {
    await expect(timeline.filter({ hasText: kind }).first()).toBeVisible();
  }
  await expect(timeline.filter({ hasText: 'Chain: final' })).toContainText(seen.transactionHash);
  await expect(page.getByText('One transfer.')).toBeVisible();
}
