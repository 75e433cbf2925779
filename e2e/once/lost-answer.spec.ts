import { expect } from '@playwright/test';
import { test } from '#e2e/support/customer-test.ts';
import { expectNothingPaid, expectPaidOnce } from '#e2e/support/oracle.ts';
import { signInByForm } from '#e2e/support/people.ts';
import { refusalAnswer } from '#e2e/support/refusal-answer.ts';
import { breakLookUps, deliverLate, setFate } from '#e2e/support/request-fate.ts';
import {
  checkAgain,
  checkAgainButton,
  expectUnknown,
  expectWithdrawalPage,
  LOOK_UP_CALL,
  REQUEST_CALL,
} from '#e2e/support/review-page.ts';

test('UI02: an answer lost after the commit is unknown, and Check again finds the withdrawal', {
  tag: '@phone',
}, async ({ page, openNewReview }) => {
  const { order, keys, button } = await openNewReview('8');
  const lookUps = await breakLookUps(page);
  await setFate(page, 'answer_lost');
  await button.click();
  await expectUnknown(page);
  await lookUps.mend();
  await checkAgain(page);
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey]);
});

test('a retry that is told to slow down stays unknown and never becomes a second withdrawal', async ({
  page,
  openNewReview,
}) => {
  const { order, keys, button } = await openNewReview('8.5');
  await page.route(LOOK_UP_CALL, (route) => route.fulfill(refusalAnswer('rate_limited')));
  await setFate(page, 'answer_lost');
  await button.click();
  await expectUnknown(page);
  await checkAgainButton(page).click();
  await expect(page.getByText('Too many requests at once.')).toBeVisible();
  await expectUnknown(page);
  await page.unroute(LOOK_UP_CALL);
  await checkAgain(page);
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey]);
});

test('a first copy that arrives after its retry was refused is the one withdrawal', async ({ page, openNewReview }) => {
  const { order, keys, button } = await openNewReview('9');
  const { happened } = await setFate(page, 'lost');
  await button.click();
  const firstCopy = await happened;
  await expectUnknown(page);
  await page.route(REQUEST_CALL, (route) => route.fulfill(refusalAnswer('rate_limited')), { times: 1 });
  await checkAgainButton(page).click();
  await expect(page.getByText('Too many requests at once.')).toBeVisible();
  await expectUnknown(page);
  await expectNothingPaid(order);
  expect(await deliverLate(page, firstCopy)).toBe(200);
  await checkAgain(page);
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(new Set(keys)).toEqual(new Set([paid.idempotencyKey]));
});

test('EC2: a refused first try goes on under the same key', async ({ page, openNewReview }) => {
  const { order, keys, button } = await openNewReview('9.5');
  await page.route(REQUEST_CALL, (route) => route.fulfill(refusalAnswer('rate_limited')), { times: 1 });
  await button.click();
  await expect(page.getByText('Not sent yet')).toBeVisible();
  await button.click();
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey, paid.idempotencyKey]);
});

for (const { fate, what } of [
  { fate: 'answer_lost', what: 'after the commit' },
  { fate: 'lost', what: 'before the request arrived' },
] as const) {
  test(`a session that ended ${what} leads back through sign-in to the same request`, async ({
    page,
    context,
    customer,
    openNewReview,
  }) => {
    const { order, keys, button } = await openNewReview('10');
    const lookUps = await breakLookUps(page);
    await setFate(page, fate);
    await button.click();
    await expectUnknown(page);
    await context.clearCookies();
    await lookUps.mend();
    await checkAgainButton(page).click();
    await expect(page.getByText('Please sign in.')).toBeVisible();
    await expectUnknown(page);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signInByForm(page, customer);
    if (fate === 'lost') await checkAgainButton(page).click();
    await expectWithdrawalPage(page);
    const paid = await expectPaidOnce(order);
    expect(new Set(keys)).toEqual(new Set([paid.idempotencyKey]));
  });
}
