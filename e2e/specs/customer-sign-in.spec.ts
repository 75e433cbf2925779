import { expect, type Page } from '@playwright/test';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { linkOfMail } from '#e2e/support/mail.ts';
import { submitSignIn } from '#e2e/support/people.ts';
import { addPasskey, codeOf, setUpAuthenticator } from '#e2e/support/second-factor.ts';

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
}

test('sign-in asks for the authenticator, says what is wrong, and takes a recovery code in its place', {
  tag: '@phone',
}, async ({ page, customer }) => {
  const { secret, recoveryCodes } = await setUpAuthenticator(page, customer.password);
  await signOut(page);
  await submitSignIn(page, customer);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeFocused();
  await page.goto('/withdraw');
  await expect(page, 'the password alone opens nothing').toHaveURL(/\/sign-in/);
  await submitSignIn(page, customer);
  const code = page.getByLabel('Code of your authenticator');
  await code.fill('000000');
  await code.press('Enter');
  await expect(page.getByText('This does not confirm it')).toBeVisible();
  await expect(code).toBeFocused();
  await code.fill(codeOf(secret));
  await code.press('Enter');
  await expect(page).toHaveURL(/\/withdraw$/);

  await signOut(page);
  await submitSignIn(page, customer);
  await page.getByLabel('Recovery code', { exact: true }).check();
  await page.getByLabel('One of your recovery codes').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  await page.goto('/security');
  await expect(page.getByText('9 recovery codes left.')).toBeVisible();
});

test('a passkey signs in, brings recovery codes, and makes new ones', { tag: '@phone' }, async ({
  page,
  context,
  customer,
}) => {
  await addPasskey(page, context, customer.password);
  await expect(page.getByRole('heading', { name: 'Recovery codes', level: 3 })).toBeFocused();
  await page.getByRole('button', { name: 'I have written them down' }).click();
  await signOut(page);
  await submitSignIn(page, customer);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  await page.goto('/security');
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Recovery codes', level: 3 })).toBeFocused();
  const codes = page
    .getByRole('heading', { name: 'Recovery codes', level: 3 })
    .locator('xpath=../..')
    .getByRole('listitem');
  await expect(codes).toHaveCount(10);
});

test('whoever lost every second factor gets back in by password, mailbox and a wait, and is told what rests', {
  tag: '@phone',
}, async ({ page, customer }) => {
  await setUpAuthenticator(page, customer.password);
  await signOut(page);
  await submitSignIn(page, customer);
  await page.getByRole('button', { name: 'I have none of these any more' }).click();
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('Look into your mail.')).toBeVisible();
  const link = await linkOfMail(customer.email, 'lost-second-factor');
  await page.goto(link);
  await expect(page.getByText('A wait of three days begins')).toBeVisible();
  // A wait that began is not shortened, not even by a test: this one begins with none.
  await askDatabase(`update protocol_settings set second_factor_reset_wait = '0'`);
  try {
    await page.getByRole('button', { name: 'Yes, begin the wait' }).click();
    await expect(page.getByText('The wait has begun')).toBeVisible();
  } finally {
    await askDatabase(`update protocol_settings set second_factor_reset_wait = '72 hours'`);
  }
  await page.getByRole('link', { name: 'Sign in' }).click();
  await submitSignIn(page, customer);
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  await page.goto('/security');
  await expect(page.getByRole('button', { name: 'Set up an authenticator' })).toBeVisible();
  await expect(page.getByTestId('freeze')).toContainText('Withdrawals rest until');
});
