import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { requestWithdrawal } from '#e2e/support/api-call.ts';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { lookAt } from '#e2e/support/look-at.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { submitSignIn } from '#e2e/support/people.ts';
import { breakLookUps, setFate } from '#e2e/support/request-fate.ts';
import { checkAgain, expectUnknown, expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';
import { setUpAuthenticator, withoutFreeze } from '#e2e/support/second-factor.ts';

// One journey, and every state of every page looked at on its way in all sizes, themes and colours: signing in and paying
// once for each of them would take six times as long.
test('every page and state of the customer holds on a desk, a phone, at 320 px, at 200 %, dark and in forced colours', async ({
  page,
  customer,
}, info) => {
  test.setTimeout(240_000);
  const look = (name: string) => lookAt(page, info, name);
  const order = { customerId: customer.userId, address: freshAddress(), amount: '2' };

  await page.goto('/withdraw');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByText('Please check these first')).toBeVisible();
  await look('form-problems');
  await page.goto('/addresses');
  await page.getByLabel('Name', { exact: true }).fill('Cold wallet');
  await page.getByLabel('Network', { exact: true }).selectOption('ethereum');
  await page.getByLabel('Address', { exact: true }).fill(freshAddress());
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText(/^Usable in /)).toBeVisible();
  await look('addresses');
  const button = await openReview(page, order);
  await look('review');
  const lookUps = await breakLookUps(page);
  await setFate(page, 'answer_lost');
  await button.click();
  await expectUnknown(page);
  await look('in-doubt');
  await lookUps.mend();
  await checkAgain(page);
  await expectWithdrawalPage(page);
  await look('progress');
  await expectPaidOnce(order);
  await page.reload();
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'completed');
  await page.getByRole('button', { name: 'Why only once?' }).click();
  await expect(page.getByText('One transfer.')).toBeVisible();
  await look('completed');
  await askForTwoMore(page, customer.userId);
  for (const path of ['withdraw', 'withdrawals', 'balances', 'deposits', 'mail']) {
    await page.goto(`/${path}`);
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    if (path === 'deposits') {
      await page.getByLabel('Asset').selectOption('USDC');
      await expect(page.getByAltText('QR code of your address on Ethereum')).toBeVisible();
    }
    await look(path);
  }
  await lookAtSecondFactor(page, { customer, look });
  for (const path of ['sign-up', 'forgot-password', 'reset-password', 'verify-email', 'lost-second-factor']) {
    await page.goto(`/${path}?token=x`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await look(path);
  }
});

/** One that was refused, and one that waits for a person: the history has more than one colour. */
async function askForTwoMore(page: Page, customerId: string): Promise<void> {
  const body = { asset: 'USDC', network: 'ethereum', address: freshAddress(), memo: null };
  const ask = (more: object) => requestWithdrawal(page.request, { key: randomUUID(), body: { ...body, ...more } });
  expect((await ask({ amount: '7.5', quotedFee: '0.4' })).refusal?.code).toBe('fee_changed');
  await askDatabase('update customers set review_all = true where id = $1', [customerId]);
  expect((await ask({ amount: '12.25' })).status).toBe(200);
}

async function lookAtSecondFactor(
  page: Page,
  input: { customer: { email: string; password: string }; look: (name: string) => Promise<void> },
): Promise<void> {
  const { customer, look } = input;
  const freeze = await withoutFreeze();
  try {
    await setUpAuthenticator(page, customer.password);
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await expect(page.getByLabel('Code of your authenticator')).toBeVisible();
    await look('security');
    await openReview(page, { address: freshAddress(), amount: '3' });
    await expect(page.getByLabel('Code of your authenticator')).toBeVisible();
    await look('step-up');
  } finally {
    await freeze.restore();
  }
  await page.context().clearCookies({ name: /session_token/ });
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Write your email.' })).toBeVisible();
  await look('sign-in');
  await submitSignIn(page, customer);
  await page.getByRole('button', { name: 'I have none of these any more' }).click();
  await expect(page.getByRole('button', { name: 'Send the link' })).toBeVisible();
  await look('second-factor');
}
