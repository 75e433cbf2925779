import { expect, type Locator, type Page } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';

test('a withdrawal is made by the keyboard alone, the focus seen at every step and always where the page goes on', async ({
  page,
  customer,
}) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '2' };
  await page.goto('/withdraw');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.locator('#main')).toBeFocused();
  const asset = page.getByLabel('Asset', { exact: true });
  await tabTo(page, asset);
  // Before the list has come there is nothing to choose from.
  await expect(asset.locator('option[value="USDC"]')).toBeAttached();
  await page.keyboard.type('USDC');
  await expect(asset).toHaveValue('USDC');
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
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expectPaidOnce(order);
});

test('a screen reader hears the form and the review in the order in which they are filled in and checked', async ({
  page,
  customer,
}) => {
  expect(customer.userId).toBeTruthy();
  await page.goto('/withdraw');
  await page.getByLabel('Asset', { exact: true }).selectOption('USDC');
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Withdraw" [level=1]
      - combobox "Asset"
      - combobox "Network"
      - textbox "Address"
      - textbox "Amount"
      - group "Who pays the fee"
      - button "Review withdrawal"
  `);
  await openReview(page, { address: freshAddress(), amount: '2' });
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Check your withdrawal" [level=1]
      - term: The receiver gets
      - term: Network
      - term: Address
      - button "Withdraw 2 USDC"
  `);
});

test('what a page says changes without being looked for: complaints take the focus, news is announced', async ({
  page,
  customer,
}) => {
  expect(customer.userId).toBeTruthy();
  await page.goto('/withdraw');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please check these first' })).toBeFocused();
  const asset = page.getByLabel('Asset', { exact: true });
  await expect(asset).toHaveAttribute('aria-invalid', 'true');
  await expect(asset).toHaveAccessibleDescription(/Choose what to withdraw\./);
  await page.getByRole('link', { name: 'Choose what to withdraw.' }).click();
  await expect(asset).toBeFocused();
});

test('whoever asked for less motion sees none', async ({ page, customer }) => {
  expect(customer.userId).toBeTruthy();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const button = await openReview(page, { address: freshAddress(), amount: '2' });
  await button.click();
  await expectWithdrawalPage(page);
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => Number(one.effect?.getComputedTiming().duration ?? 0) > 0 && one.playState === 'running')
      .map((one) => (one instanceof CSSAnimation ? one.animationName : one.id)),
  );
  expect(moving).toEqual([]);
});

/** Tabs on until an element has the focus; every stop on the way must be seen to have it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
    });
    expect(outline, 'the focus is not seen').toBeGreaterThanOrEqual(2);
  }
  await expect(target).toBeFocused();
}
