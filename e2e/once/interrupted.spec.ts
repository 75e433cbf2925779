import { expect } from '@playwright/test';
import { test } from '#e2e/support/customer-test.ts';
import { expectNoFindings } from '#e2e/support/look-at.ts';
import { expectNothingPaid, expectPaidOnce } from '#e2e/support/oracle.ts';
import { breakLookUps, setFate } from '#e2e/support/request-fate.ts';
import {
  checkAgainButton,
  expectUnknown,
  expectWithdrawalPage,
  pressButton,
  WITHDRAWAL_PAGE,
} from '#e2e/support/review-page.ts';
import { stack } from '#e2e/support/running-stack.ts';

test('UI02, EC4: a reload while the accepted request waits for its answer finds the withdrawal', async ({
  page,
  openNewReview,
}) => {
  const { order, keys, button } = await openNewReview('2');
  const { happened } = await setFate(page, 'unanswered');
  await button.click();
  await happened;
  await page.reload();
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey]);
});

test('a reload before the request has left the browser sends nothing by itself, and then once', async ({
  page,
  openNewReview,
}) => {
  const { order, keys, button } = await openNewReview('2');
  const { happened } = await setFate(page, 'stuck');
  await button.click();
  await happened;
  const lookedUp = page.waitForResponse(/withdrawal\.byKey/);
  await page.reload();
  await lookedUp;
  await expectUnknown(page);
  await expectNothingPaid(order);
  await checkAgainButton(page).click();
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey, paid.idempotencyKey]);
});

test('UI07: a tab that was closed while sending is told about when the customer comes back', async ({
  page,
  context,
  openNewReview,
}) => {
  const { order, keys, button } = await openNewReview('5');
  const { happened } = await setFate(page, 'unanswered');
  await button.click();
  await happened;
  await page.close();
  const reopened = await context.newPage();
  await reopened.goto('/withdraw');
  const banner = reopened.getByTestId('pending-banner');
  await expect(banner).toContainText('has arrived');
  await expectNoFindings(reopened, { what: 'the banner of a request that has arrived' });
  await banner.getByRole('link', { name: 'View it' }).click();
  await expectWithdrawalPage(reopened);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey]);
});

test('a tab that was closed in doubt goes on with the same key', async ({ page, context, openNewReview }) => {
  const { order, keys, button } = await openNewReview('5');
  await breakLookUps(page);
  await setFate(page, 'lost');
  await button.click();
  await expectUnknown(page);
  await page.close();
  const reopened = await context.newPage();
  await reopened.goto('/withdraw');
  await expect(reopened.getByTestId('pending-banner')).toBeVisible();
  await expectNoFindings(reopened, { what: 'the banner of a request that may have arrived' });
  await reopened.getByTestId('pending-banner').getByRole('link', { name: 'Open this request' }).click();
  // The banner has a button of the same name, which only looks.
  await expect(reopened.getByRole('heading', { level: 1 })).toHaveText('Check your withdrawal');
  await checkAgainButton(reopened).click();
  await expectWithdrawalPage(reopened);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey, paid.idempotencyKey]);
});

test('EC5: two tabs with the same reviewed request share one key and lead to one withdrawal', async ({
  page,
  context,
  openNewReview,
}) => {
  const { order, keys, button } = await openNewReview('6.5');
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(pressButton(other)).toBeVisible();
  await Promise.all([button.click(), pressButton(other).click()]);
  await expectWithdrawalPage(page);
  await expectWithdrawalPage(other);
  expect(other.url()).toBe(page.url());
  const paid = await expectPaidOnce(order);
  expect(new Set(keys)).toEqual(new Set([paid.idempotencyKey]));
});

test('UI13: Back and Forward after success send nothing, and the review leads to its withdrawal', async ({
  page,
  openNewReview,
}) => {
  const { order, keys, button } = await openNewReview('1.25');
  const review = page.url();
  await button.click();
  await expectWithdrawalPage(page);
  const withdrawal = page.url();
  await page.goBack();
  await expect(page).toHaveURL(/\/withdraw$/);
  await page.goForward();
  await expect(page).toHaveURL(WITHDRAWAL_PAGE);
  expect(page.url()).toBe(withdrawal);
  await page.goBack();
  await page.goForward();
  await page.goto(review);
  await expect(page).toHaveURL(withdrawal);
  await expect(pressButton(page)).toHaveCount(0);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey]);
});

test('UI13: Back from another site reads anew where the request stands, and a press there goes on with its one key', async ({
  page,
  openNewReview,
}) => {
  const { order, keys, button } = await openNewReview('1.5');
  const elsewhere = new URL('/health/ready', stack.urls.custody).href;
  const { happened } = await setFate(page, 'stuck');
  await button.click();
  await happened;
  await page.goto(elsewhere);
  const lookedUp = page.waitForResponse(/withdrawal\.byKey/);
  await page.goBack();
  await lookedUp;
  await expectUnknown(page);
  await expect(checkAgainButton(page), 'nothing turns for ever').not.toHaveAttribute('aria-busy');
  await checkAgainButton(page).click();
  await expectWithdrawalPage(page);
  await page.goto(elsewhere);
  const paid = await expectPaidOnce(order);
  await page.goBack();
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'completed');
  expect(keys).toEqual([paid.idempotencyKey, paid.idempotencyKey]);
});

test('UI05: offline at the click nothing is sent, not even later, until the customer presses again', async ({
  page,
  context,
  openNewReview,
}) => {
  const { order, keys, button } = await openNewReview('7');
  await context.setOffline(true);
  await button.click();
  await expect(page.getByText('You are offline. Nothing was sent.')).toBeVisible();
  await expectNoFindings(page, { what: 'a review offline' });
  await context.setOffline(false);
  // Whatever the page might have put off would leave before this answer is there.
  await page.evaluate(async () => (await fetch('/health/live')).text());
  expect(keys).toEqual([]);
  await expectNothingPaid(order);
  await button.click();
  await expectWithdrawalPage(page);
  await context.setOffline(true);
  await expect(page.getByText('The withdrawal carries on without you.')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('The withdrawal carries on without you.')).toHaveCount(0);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey]);
});
