import { expect } from '@playwright/test';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { expectNoFindings } from '#e2e/support/look-at.ts';

test('a customer finds their address by keyboard, asks the faucet, and sees the deposit come in and be credited', {
  tag: '@phone',
}, async ({ page, customer }) => {
  const available = async () => {
    const [row] = await askDatabase<{ minor: string }>(
      `select available_minor as minor from customer_balances where customer_id = $1 and asset_id = 'USDC'`,
      [customer.userId],
    );
    return BigInt(row?.minor ?? 0);
  };
  const before = await available();
  await page.goto('/deposits');
  const asset = page.getByLabel('Asset');
  // The platform's select takes letters: nothing here needs a mouse.
  await asset.focus();
  await page.keyboard.type('USDC');
  await expect(asset).toHaveValue('USDC');
  await expect(page.getByText('USDC comes in on Ethereum only.')).toBeVisible();
  await expect(page.getByText('Ethereum here is a local chain')).toBeVisible();
  const [row] = await askDatabase<{ address: string }>(
    `select address from deposit_addresses where customer_id = $1 and network_id = 'ethereum'`,
    [customer.userId],
  );
  await expect(page.getByTestId('deposit-address')).toHaveText(row?.address ?? 'none');
  await expect(page.getByAltText('QR code of your address on Ethereum')).toBeVisible();
  await page.getByRole('button', { name: 'Send me USDC' }).press('Enter');
  await expect(page.getByText('100 USDC are on their way.')).toBeVisible();
  const deposit = page.getByTestId('deposit');
  await expect(deposit).toContainText(/Pending \d+\/\d+|Credited/);
  await expect(deposit).toHaveAttribute('data-status', 'credited', { timeout: 30_000 });
  await expect(deposit).toContainText('100 USDC');
  expect((await available()) - before).toBe(100_000_000n);
  await expectNoFindings(page, { what: 'a credited deposit' });
});

test('what is simulated is said before anybody sends and credited when it comes, and no network is chosen for anybody', async ({
  page,
  customer,
}) => {
  await page.goto('/deposits');
  await page.getByLabel('Asset').selectOption('XRP');
  await expect(page.getByText('XRP Ledger is simulated')).toBeVisible();
  const [row] = await askDatabase<{ memo: string }>(
    `select memo from deposit_addresses where customer_id = $1 and network_id = 'xrp'`,
    [customer.userId],
  );
  await expect(page.getByTestId('deposit-memo')).toHaveText(row?.memo ?? 'none');
  await page.getByRole('button', { name: 'Send me XRP' }).click();
  await expect(page.getByTestId('deposit')).toHaveAttribute('data-status', 'credited', { timeout: 30_000 });
  await expect(page.getByTestId('deposit')).toContainText('50 XRP');
  await page.getByLabel('Asset').selectOption('USDT');
  // Two networks, and neither is chosen for the person.
  await expect(page.getByTestId('deposit-address')).toHaveCount(0);
  await page.getByLabel('Network').selectOption('tron');
  await expect(page.getByText('Tron is simulated')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send me USDT' })).toBeVisible();
});
