import { expect } from '@playwright/test';
import { test } from '#e2e/support/customer-test.ts';
import { signInAsDemo, signInByForm } from '#e2e/support/people.ts';

test('one press signs a demo customer in and out again', async ({ page }) => {
  await signInAsDemo(page, 'Alice', '/withdraw');
  await expect(page.getByText('Alice Amsel')).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto('/withdraw');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});

test('one press signs a demo operator in to the overview', async ({ page }) => {
  await signInAsDemo(page, 'Olga', '/operator');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Withdrawals per status' })).toBeVisible();
});

test('a wrong password is told without saying what is wrong, and the right one leads back', async ({
  page,
  context,
  customer,
}) => {
  await context.clearCookies();
  await page.goto('/withdrawals');
  await page.getByLabel('Email', { exact: true }).fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill('not-the-password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Email or password is not right.').first()).toBeVisible();
  await signInByForm(page, customer);
  await expect(page).toHaveURL(/\/withdrawals$/);
});
