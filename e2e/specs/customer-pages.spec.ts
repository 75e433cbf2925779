import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, type TestInfo } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { breakLookUps, setFate } from '#e2e/support/request-fate.ts';
import { checkAgain, expectUnknown, expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';
import { setUpAuthenticator, withoutFreeze } from '#e2e/support/second-factor.ts';

const SIZES = [
  { name: 'desk', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'phone', width: 390, height: 844, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 900, colorScheme: 'dark' },
  // The narrowest that WCAG 2.2 asks for (1.4.10), and what a desk at four times the size shows.
  { name: 'narrow', width: 320, height: 640, colorScheme: 'dark' },
] as const;

for (const size of SIZES) {
  test(`every page of the customer holds on a ${size.name} screen, without findings`, async ({
    page,
    customer,
  }, info) => {
    test.setTimeout(240_000);
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: size.colorScheme, reducedMotion: 'reduce' });
    const look = (name: string) => lookAt(page, info, `${size.name}-${name}`);
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
    for (const path of ['withdraw', 'withdrawals', 'balances', 'deposits', 'mail']) {
      await page.goto(`/${path}`);
      await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
      // The longest of them: an address with a tag, and the word that it is simulated.
      if (path === 'deposits') await page.getByLabel('Asset').selectOption('XRP');
      await look(path);
    }
    const freeze = await withoutFreeze();
    try {
      await setUpAuthenticator(page, customer.password);
      await look('security');
      await openReview(page, { address: freshAddress(), amount: '3' });
      await expect(page.getByLabel('Code of your authenticator')).toBeVisible();
      await look('step-up');
    } finally {
      await freeze.restore();
    }
    await page.context().clearCookies({ name: /session_token/ });
    for (const path of ['sign-in', 'sign-up', 'forgot-password', 'reset-password?token=x', 'verify-email?token=x']) {
      await page.goto(`/${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await look(path.replace(/\?.*/, ''));
    }
  });
}

test('a withdrawal is made by the keyboard alone', async ({ page, customer }) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '2' };
  await page.goto('/withdraw');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  await tabTo(page, page.getByLabel('Asset', { exact: true }));
  await page.keyboard.type('USDC');
  await tabTo(page, page.getByLabel('Address', { exact: true }));
  await page.keyboard.insertText(order.address);
  await tabTo(page, page.getByLabel('Amount', { exact: true }));
  await page.keyboard.type(order.amount);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your withdrawal');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Withdraw 2 USDC' }));
  await page.keyboard.press('Enter');
  await expectWithdrawalPage(page);
  await expectPaidOnce(order);
});

async function tabTo(page: Page, target: ReturnType<Page['getByLabel']>): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** No finding of axe, nothing wider than the screen, and a picture to look at. */
async function lookAt(page: Page, info: TestInfo, name: string): Promise<void> {
  const folder = process.env.UPDATE_SCREENSHOTS === '1' ? join(import.meta.dirname, '../../docs/screenshots') : null;
  const file = `${name}.png`;
  await page.screenshot({ path: folder ? join(folder, file) : info.outputPath(file), fullPage: true });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const findings = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  expect.soft(findings, name).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(overflow, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
}
