import { expect } from '@playwright/test';
import { test } from '#e2e/support/customer-test.ts';
import { expectNoFindings } from '#e2e/support/look-at.ts';
import { signInAsDemo, signInByForm } from '#e2e/support/people.ts';

test('one press signs a demo customer in and out again', async ({ page }) => {
  await signInAsDemo(page, 'Alice', '/withdraw');
  await expect(page.getByText('Alice Amsel')).toBeVisible();
  // A server that does not answer: nothing of her stays on the page, and it is said that the session may stand.
  await page.route('**/api/auth/sign-out', (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByTestId('sign-out-trouble')).toBeFocused();
  await expect(page.getByRole('heading', { name: 'You may still be signed in' })).toBeVisible();
  await expect(page.getByText('Alice Amsel')).toHaveCount(0);
  await expectNoFindings(page, { what: 'trouble at sign-out' });
  await page.getByRole('button', { name: 'Sign out again' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goBack();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByText('Alice Amsel')).toHaveCount(0);
  await page.goto('/withdraw');
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});

test('one press signs a demo operator in to the overview', async ({ page }) => {
  await signInAsDemo(page, 'Olga', '/operator');
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Withdrawals per status' })).toBeVisible();
  // Brought back whole by the browser after she left in between: what it showed is taken off before it asks anew.
  const shown = await page.evaluate(() => {
    window.localStorage.removeItem('cryptoex:person');
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    return document.querySelector('main')?.textContent ?? '';
  });
  expect(shown).not.toContain('Withdrawals per status');
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

test('where the frame itself breaks, the visitor reads in their language that nothing of theirs is affected', async ({
  page,
  context,
  baseURL,
}) => {
  // The script of the frame arrives with an error in it, as from a faulty release; nothing of ours breaks on demand.
  const frame = /("LanguageProvider",0,function\([^)]*\)\{)/;
  let broken = 0;
  await page.route('**/_next/static/**/*.js', async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    if (frame.test(text)) broken += 1;
    const body = text.replace(frame, '$1throw new Error("by the test");');
    await route.fulfill({ status: answer.status(), contentType: 'application/javascript', body });
  });
  const titles = { en: 'This page could not be shown', de: 'Diese Seite ließ sich nicht zeigen' };
  for (const [language, title] of Object.entries(titles)) {
    await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
    await page.goto('/sign-in');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(page.getByRole('button')).toHaveCount(1);
  }
  expect(broken).toBeGreaterThan(0);
});
