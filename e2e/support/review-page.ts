import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';

export const WITHDRAWAL_PAGE = /\/withdrawals\/[0-9a-f-]{36}$/;
export const REVIEW_PAGE = /\/withdraw\/review\/[0-9a-f-]{36}$/;
export const REQUEST_CALL = '**/api/trpc/withdrawal.request*';
export const LOOK_UP_CALL = '**/api/trpc/withdrawal.byKey*';

/** Fills the form in and goes on to the review, whose button alone moves money. */
export async function openReview(page: Page, order: { address: string; amount: string }): Promise<Locator> {
  await page.goto('/withdraw');
  await page.getByLabel('Asset', { exact: true }).selectOption('USDC');
  await page.getByLabel('Address', { exact: true }).fill(order.address);
  await page.getByLabel('Amount', { exact: true }).fill(order.amount);
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await page.waitForURL(REVIEW_PAGE);
  return pressButton(page);
}

/** The one button of a review, before it is pressed. */
export function pressButton(page: Page): Locator {
  return page.getByRole('button', { name: /^Withdraw / });
}

/** What the same button is called while the outcome is not known. */
export function checkAgainButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Check again' });
}

/** Presses Check again on a request that has arrived, unless the page finds it by itself at that very moment. */
export async function checkAgain(page: Page): Promise<void> {
  await Promise.race([checkAgainButton(page).click(), page.waitForURL(WITHDRAWAL_PAGE)]);
}

/** The page says that it does not know yet, and never that something failed. */
export async function expectUnknown(page: Page): Promise<void> {
  await expect(page.getByTestId('pending-banner')).toBeVisible();
  await expect(page.getByText(/failed/i)).toHaveCount(0);
}

/** The page of the withdrawal has opened and shows where it stands. */
export async function expectWithdrawalPage(page: Page): Promise<void> {
  await page.waitForURL(WITHDRAWAL_PAGE);
  await expect(page.getByTestId('withdrawal-status')).toBeVisible();
}

/** Collects the key of every request for a withdrawal that leaves any tab of this browser. */
export function watchKeys(context: BrowserContext): string[] {
  const keys: string[] = [];
  context.on('request', (request) => {
    if (!request.url().includes('/api/trpc/withdrawal.request')) return;
    keys.push(request.headers()['idempotency-key'] ?? 'none');
  });
  return keys;
}
