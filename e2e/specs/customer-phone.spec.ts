import { expect } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { expectFingerSize } from '#e2e/support/finger-size.ts';
import { submitSignIn } from '#e2e/support/people.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';
import { codeOf, setUpAuthenticator, withoutFreeze } from '#e2e/support/second-factor.ts';

let freeze: { restore: () => Promise<void> };
test.beforeAll(async () => {
  freeze = await withoutFreeze();
});
test.afterAll(() => freeze.restore());

// One person with a phone, from the address book to the sign-out: the flows are the desk's, each with a test of its own there.
test('on a phone, with a finger: save an address, confirm and send, watch, cancel, look back, sign out and in', {
  tag: '@phone',
}, async ({ page, customer }) => {
  await page.goto('/addresses');
  await page.getByLabel('Name', { exact: true }).fill('Cold wallet');
  await page.getByLabel('Network', { exact: true }).selectOption('ethereum');
  await page.getByLabel('Address', { exact: true }).fill(freshAddress());
  await page.getByRole('button', { name: 'Save address' }).tap();
  await expect(page.getByText('Cold wallet is saved.')).toBeVisible();
  await expectFingerSize(page);
  for (const path of ['withdraw', 'balances', 'deposits']) {
    await page.goto(`/${path}`);
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    await expectFingerSize(page);
  }
  const { secret, recoveryCodes } = await setUpAuthenticator(page, customer.password);
  await expectFingerSize(page);

  const sent = await openReview(page, { address: freshAddress(), amount: '2' });
  await page.getByLabel('Code of your authenticator').fill(codeOf(secret));
  await expectFingerSize(page);
  await sent.tap();
  await expectWithdrawalPage(page);
  await expectFingerSize(page);

  await askDatabase('update customers set review_all = true where id = $1', [customer.userId]);
  const reviewed = await openReview(page, { address: freshAddress(), amount: '3' });
  await page.getByLabel('Code of your authenticator').fill(codeOf(secret, 1));
  await reviewed.tap();
  await expectWithdrawalPage(page);
  await page.getByRole('button', { name: 'Cancel withdrawal' }).tap();
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'cancelled');

  await page.goto('/withdrawals');
  await expect(page.getByLabel('Status', { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Filter the list' }).tap();
  await page.getByLabel('Status', { exact: true }).selectOption('cancelled');
  await page.getByRole('button', { name: 'Apply' }).tap();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByLabel('Status', { exact: true }), 'a filter in use is shown').toBeVisible();
  await expectFingerSize(page);

  await page.getByRole('button', { name: 'Sign out' }).tap();
  await page.waitForURL(/\/sign-in/);
  await submitSignIn(page, customer);
  await page.getByLabel('Recovery code', { exact: true }).tap();
  await page.getByLabel('One of your recovery codes').fill(recoveryCodes[0] ?? '');
  await expectFingerSize(page);
  await page.getByRole('button', { name: 'Confirm' }).tap();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
});
