import { expect } from '@playwright/test';
import { test } from '#e2e/support/customer-test.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { expectWithdrawalPage } from '#e2e/support/review-page.ts';

test('EC1: a double click pays once', async ({ page, openNewReview }) => {
  const { order, keys, button } = await openNewReview('2.5');
  await button.dblclick();
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(new Set(keys)).toEqual(new Set([paid.idempotencyKey]));
});

test('UI01: three clicks in one tick pay once', async ({ page, openNewReview }) => {
  const { order, keys, button } = await openNewReview('3');
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
    element.click();
  });
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(keys).toEqual([paid.idempotencyKey]);
});

test('UI01: Enter held down pays once', async ({ page, openNewReview }) => {
  const { order, keys, button } = await openNewReview('1.000001');
  await button.focus();
  // Every `down` after the first is what a keyboard repeats by itself.
  for (let repeat = 0; repeat < 40; repeat += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(new Set(keys)).toEqual(new Set([paid.idempotencyKey]));
});

test('UI14, EC6: a browser without crypto.randomUUID mints a key all the same, and pays once', async ({
  page,
  openNewReview,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'));
  const { order, keys, button } = await openNewReview('4.2');
  expect(await page.evaluate(() => typeof crypto.randomUUID)).toBe('undefined');
  await button.dblclick();
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(paid.idempotencyKey).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(keys)).toEqual(new Set([paid.idempotencyKey]));
});
