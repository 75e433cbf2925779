import { expect } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { expectNoFindings } from '#e2e/support/look-at.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { refusalAnswer } from '#e2e/support/refusal-answer.ts';
import { breakLookUps, setFate } from '#e2e/support/request-fate.ts';
import {
  checkAgain,
  checkAgainButton,
  expectUnknown,
  expectWithdrawalPage,
  LOOK_UP_CALL,
  openReview,
  REQUEST_CALL,
} from '#e2e/support/review-page.ts';
import { addPasskey, codeOf, setUpAuthenticator, withoutFreeze } from '#e2e/support/second-factor.ts';

let freeze: { restore: () => Promise<void> };
test.beforeAll(async () => {
  freeze = await withoutFreeze();
});
test.afterAll(() => freeze.restore());

test('a new address asks for a code; the code is taken once, and a wrong one sends nothing', { tag: '@phone' }, async ({
  page,
  customer,
  openNewReview,
}) => {
  const { secret } = await setUpAuthenticator(page, customer.password);
  const { order, keys, button } = await openNewReview('2');
  const field = page.getByLabel('Code of your authenticator');
  await expect(field).toBeVisible();
  await button.click();
  await expect(page.getByText('Write the six digits')).toBeVisible();
  await expect(field).toBeFocused();
  expect(keys).toEqual([]);
  await field.fill('000000');
  await button.click();
  await expect(page.getByText('Not sent yet')).toBeVisible();
  await expect(field).toHaveValue('');
  await field.fill(codeOf(secret));
  await field.press('Enter');
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(new Set(keys)).toEqual(new Set([paid.idempotencyKey]));
});

test('after a retry whose code was spent, Check again finds the withdrawal without a new code', async ({
  page,
  customer,
  openNewReview,
}) => {
  const { secret } = await setUpAuthenticator(page, customer.password);
  const { order, keys, button } = await openNewReview('2.5');
  const lookUps = await breakLookUps(page);
  await page.getByLabel('Code of your authenticator').fill(codeOf(secret));
  await setFate(page, 'answer_lost');
  await button.click();
  await expectUnknown(page);
  await expect(page.getByTestId('pending-banner'), 'the key is what the support can look for').toContainText(
    `Reference for the support: ${keys[0]}`,
  );
  await page.route(REQUEST_CALL, (route) => route.fulfill(refusalAnswer('step_up_wrong', 'id-of-that-answer')), {
    times: 1,
  });
  await checkAgainButton(page).click();
  await expect(page.getByText('the code is wrong, too old, or was used before')).toBeVisible();
  await expect(page.getByText('Reference for the support: id-of-that-answer')).toBeVisible();
  await expectUnknown(page);
  await lookUps.mend();
  await checkAgain(page);
  await expectWithdrawalPage(page);
  const paid = await expectPaidOnce(order);
  expect(keys, 'sent twice before, and not to look').toEqual([paid.idempotencyKey, paid.idempotencyKey]);
});

test('what never arrived is looked for first, and sent once more only with a new code', async ({
  page,
  customer,
  openNewReview,
}) => {
  const { secret } = await setUpAuthenticator(page, customer.password);
  const { order, keys, button } = await openNewReview('2.5');
  const field = page.getByLabel('Code of your authenticator');
  await field.fill(codeOf(secret));
  await setFate(page, 'lost');
  await button.click();
  await expectUnknown(page);
  await page.route(REQUEST_CALL, (route) => route.fulfill(refusalAnswer('step_up_wrong')), { times: 1 });
  await checkAgainButton(page).click();
  await expect(page.getByText('the code is wrong, too old, or was used before')).toBeVisible();
  const lookedFor = page.waitForResponse(LOOK_UP_CALL);
  await checkAgainButton(page).click();
  await lookedFor;
  await expect(page.getByText('Write the six digits')).toBeVisible();
  await expect(field).toBeFocused();
  expect(keys).toHaveLength(2);
  await field.fill(codeOf(secret));
  await checkAgainButton(page).click();
  await expectWithdrawalPage(page);
  const { idempotencyKey } = await expectPaidOnce(order);
  expect(keys).toEqual([idempotencyKey, idempotencyKey, idempotencyKey]);
});

test('a code goes with exactly the reviewed values', async ({ page, customer }) => {
  const { secret } = await setUpAuthenticator(page, customer.password);
  const button = await openReview(page, { address: freshAddress(), amount: '3' });
  await page.getByLabel('Code of your authenticator').fill(codeOf(secret));
  await page.getByRole('link', { name: 'Change The receiver gets' }).click();
  await page.getByLabel('Amount', { exact: true }).fill('4');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByLabel('Code of your authenticator')).toHaveValue('');
  await expect(button).toHaveText('Withdraw 4 USDC');
});

test('five wrong codes lock, and the page says so plainly', async ({ page, customer }) => {
  await setUpAuthenticator(page, customer.password);
  const button = await openReview(page, { address: freshAddress(), amount: '3' });
  for (let turn = 0; turn < 5; turn += 1) {
    const answered = page.waitForResponse(REQUEST_CALL);
    await page.getByLabel('Code of your authenticator').fill('000000');
    await button.click();
    await answered;
    // The page has to have heard it as well: a press before that is the second half of a double click.
    await expect(button).not.toHaveAttribute('aria-busy');
  }
  await expect(page.getByText(/^Too many wrong codes: none is looked at before/)).toBeVisible();
  await expectNoFindings(page, { what: 'codes that are locked' });
});

test('a passkey signs exactly the reviewed request', { tag: '@phone' }, async ({ page, context, customer }) => {
  await addPasskey(page, context, customer.password);
  const order = { customerId: customer.userId, address: freshAddress(), amount: '5' };
  const button = await openReview(page, order);
  await expect(page.getByText('Your device asks you')).toBeVisible();
  await button.click();
  await expectWithdrawalPage(page);
  await expectPaidOnce(order);
});

test('a recovery code gets somebody who lost their phone back in, with a freeze', async ({ page, customer }) => {
  const { recoveryCodes } = await setUpAuthenticator(page, customer.password);
  await page.getByRole('button', { name: 'Remove the authenticator' }).click();
  await page.getByLabel('A code of it, or one of your recovery codes').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Remove the authenticator' }).click();
  await expect(page.getByRole('button', { name: 'Set up an authenticator' })).toBeVisible();
});
