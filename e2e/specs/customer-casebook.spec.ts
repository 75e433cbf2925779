import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { expectRefusal, requestWithdrawal } from '#e2e/support/api-call.ts';
import { freshAddress } from '#e2e/support/chain.ts';
import { FUNDS_MINOR, giveCoins, openFundedCustomer } from '#e2e/support/customer.ts';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { expectNothingPaid, expectPaidOnce } from '#e2e/support/oracle.ts';
import { signInByForm } from '#e2e/support/people.ts';
import { breakLookUps, setFate } from '#e2e/support/request-fate.ts';
import {
  checkAgain,
  expectUnknown,
  expectWithdrawalPage,
  openReview,
  pressButton,
  REQUEST_CALL,
  REVIEW_PAGE,
  watchKeys,
} from '#e2e/support/review-page.ts';
import { stack } from '#e2e/support/running-stack.ts';

test('UI03, EC3: another amount after a lost answer is another key, and both are shown as what they are', async ({
  page,
  context,
  customer,
}) => {
  const keys = watchKeys(context);
  const first = { customerId: customer.userId, address: freshAddress(), amount: '1' };
  const button = await openReview(page, first);
  const lookUps = await breakLookUps(page);
  await setFate(page, 'answer_lost');
  await button.click();
  await expectUnknown(page);
  await lookUps.mend();
  const second = await openReview(page, { address: freshAddress(), amount: '2' });
  await second.click();
  await expectWithdrawalPage(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('2 USDC');
  expect(new Set(keys).size).toBe(2);
  const rows = await askDatabase<{ amount_minor: string; idempotency_key: string }>(
    'select amount_minor, idempotency_key from withdrawals where customer_id = $1 order by requested_at',
    [customer.userId],
  );
  expect(rows.map((row) => row.amount_minor)).toEqual(['1000000', '2000000']);
  expect(rows.map((row) => row.idempotency_key)).toEqual(keys);
});

test('UI03: another tag alone, or none, is another key, and another network takes no address of the one before', async ({
  page,
  context,
  customer,
}) => {
  await giveCoins(customer.userId, { assetId: 'XRP', minor: FUNDS_MINOR });
  const sent: { key: string | undefined; memo: unknown }[] = [];
  context.on('request', (request) => {
    if (!request.url().includes('/api/trpc/withdrawal.request')) return;
    sent.push({ key: request.headers()['idempotency-key'], memo: request.postDataJSON().memo });
  });
  await breakLookUps(page);
  for (const memo of ['7', '8', null]) {
    await page.goto('/withdraw');
    await page.getByLabel('Asset', { exact: true }).selectOption('XRP');
    await page.getByLabel('Address', { exact: true }).fill('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh');
    await page.getByLabel('Amount', { exact: true }).fill('2');
    if (memo === null) await page.getByLabel('The receiver needs no tag').check();
    else await page.getByLabel('Destination tag', { exact: true }).fill(memo);
    await page.getByRole('button', { name: 'Review withdrawal' }).click();
    await page.waitForURL(REVIEW_PAGE);
    const { happened } = await setFate(page, 'lost');
    await pressButton(page).click();
    await happened;
    // The banner tells of those before as well.
    await expect(page.getByText('We do not know yet whether your request arrived')).toBeVisible();
  }
  expect(sent.map(({ memo }) => memo)).toEqual(['7', '8', null]);
  expect(new Set(sent.map(({ key }) => key)).size, 'one key for each meaning').toBe(3);
  await page.goto('/withdraw');
  await page.getByLabel('Asset', { exact: true }).selectOption('USDT');
  await page.getByLabel('Network', { exact: true }).selectOption('ethereum');
  await page.getByLabel('Address', { exact: true }).fill(freshAddress());
  await page.getByLabel('Network', { exact: true }).selectOption('tron');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  expect(sent).toHaveLength(3);
});

test('UI04: whoever starts the same withdrawal again sees the first and is asked; a second one is a decision', async ({
  page,
  customer,
}) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '3' };
  const button = await openReview(page, order);
  const lookUps = await breakLookUps(page);
  await setFate(page, 'answer_lost');
  await button.click();
  await expectUnknown(page);
  await lookUps.mend();
  const again = await openReview(page, order);
  await again.click();
  await expect(page.getByText('You asked for the same withdrawal a few minutes ago.')).toBeVisible();
  await page.getByRole('link', { name: 'See the earlier one' }).click();
  await expectWithdrawalPage(page);
  await expectPaidOnce(order, { refusals: ['look_alike'] });
});

test('UI06: a server that commits and then answers 503 three times is not asked to do it again', async ({
  page,
  context,
  customer,
}) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '4' };
  const keys = watchKeys(context);
  const button = await openReview(page, order);
  const lookUps = await breakLookUps(page);
  await page.route(
    REQUEST_CALL,
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 503, contentType: 'application/json', body: '{}' });
    },
    { times: 3 },
  );
  await button.click();
  await expectUnknown(page);
  expect(keys).toHaveLength(1);
  await lookUps.mend();
  await checkAgain(page);
  await expectWithdrawalPage(page);
  await expectPaidOnce(order);
});

test('UI10: a finished withdrawal, an ended session and a missing one are not polled for ever', async ({
  page,
  context,
  customer,
}) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '2' };
  const button = await openReview(page, order);
  await button.click();
  await expectWithdrawalPage(page);
  const { withdrawalId } = await expectPaidOnce(order);
  let polls = 0;
  page.on('request', (request) => {
    if (request.url().includes('withdrawal.byId')) polls += 1;
  });
  await page.clock.install();
  await page.goto(`/withdrawals/${withdrawalId}`);
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'completed');
  polls = 0;
  await page.clock.runFor(120_000);
  expect(polls, 'polls of a completed withdrawal in two minutes').toBe(0);

  await page.goto(`/withdrawals/${randomUUID()}`);
  await expect(page.getByRole('heading', { name: 'We find no withdrawal here' })).toBeVisible();
  polls = 0;
  await page.clock.runFor(120_000);
  expect(polls, 'polls of a missing withdrawal in two minutes').toBe(0);

  // Still moving for the page: the session ends while it is watched.
  await page.route(/withdrawal\.byId/, async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    return route.fulfill({ response: answer, body: text.replace('"status":"completed"', '"status":"submitted"') });
  });
  await page.goto(`/withdrawals/${withdrawalId}`);
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'submitted');
  await context.clearCookies();
  await page.clock.runFor(3_000);
  await expect(page.getByText('You are signed out.')).toBeVisible();
  polls = 0;
  await page.clock.runFor(120_000);
  expect(polls, 'polls of the signed-out in two minutes').toBe(0);
});

test('UI11: after a browser was closed before the answer, every browser shows what the server has', async ({
  page,
  context,
  browser,
  customer,
}) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '5' };
  const button = await openReview(page, order);
  const { happened } = await setFate(page, 'unanswered');
  await button.click();
  await happened;
  await page.close();
  const { withdrawalId } = await expectPaidOnce(order);
  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await elsewhere.goto('/sign-in');
  await signInByForm(elsewhere, customer);
  const here = await context.newPage();
  // First: the banner goes away with the first page that shows what became of the withdrawal.
  await here.goto('/withdraw');
  await expect(here.getByTestId('pending-banner')).toContainText('has arrived');
  for (const tab of [elsewhere, here]) {
    await tab.goto(`/withdrawals/${withdrawalId}`);
    await expect(tab.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'completed');
  }
  await other.close();
});

test('UI15: no answer is frozen at build time or may be stored on the way', async ({ context, customer }) => {
  const address = freshAddress();
  const balances = () => context.request.get('/api/trpc/account.balances');
  const before = await balances();
  expect(before.headers()['cache-control']).toBe('no-store');
  const body = { asset: 'USDC', network: 'ethereum', address, memo: null, amount: '2' };
  expect((await requestWithdrawal(context.request, { key: randomUUID(), body })).status).toBe(200);
  expect(await (await balances()).text()).not.toBe(await before.text());
  for (const path of ['/health/live', '/health/ready', '/api/trpc/account.me', '/api/trpc/withdrawal.list?input={}']) {
    expect((await context.request.get(path)).headers()['cache-control'], path).toBe('no-store');
  }
  const page = await context.request.get('/withdraw');
  expect(page.headers()['cache-control']).toContain('no-store');
  expect(customer.userId).toBeTruthy();
});

test('UI17: in Kolkata, in German, times name their zone and amounts keep their one point', async ({ browser }) => {
  const abroad = await browser.newContext({ locale: 'de-DE', timezoneId: 'Asia/Kolkata', baseURL: stack.urls.web });
  const customer = await openFundedCustomer(abroad.request);
  const page = await abroad.newPage();
  await page.goto('/withdraw');
  await expect(page.getByRole('heading', { level: 1 }), "the page speaks the browser's language").toHaveText(
    'Auszahlen',
  );
  // Chosen by hand, because the next steps are found by their English names.
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Withdraw');
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const order = { customerId: customer.userId, address: freshAddress(), amount: '12.345678' };
  const button = await openReview(page, order);
  await button.click();
  await expectWithdrawalPage(page);
  await page.goto('/withdrawals');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Auszahlungen');
  const row = page.getByRole('main').getByRole('listitem').first();
  await expect(row).toContainText('12.345678 USDC');
  await expect(row.locator('time')).toContainText(/GMT\+5:30|IST/);
  await expect(row.locator('time')).toHaveAttribute('title', / UTC$/);
  expect(complaints).toEqual([]);
  await abroad.close();
});

for (const { status, what } of [
  { status: 504, what: 'a gateway’s 504 page' },
  { status: 200, what: 'a 200 with somebody’s sign-in page' },
]) {
  test(`UI19: ${what} after the commit is "not known yet", and then the withdrawal`, async ({ page, customer }) => {
    const order = { customerId: customer.userId, address: freshAddress(), amount: '6' };
    const button = await openReview(page, order);
    const lookUps = await breakLookUps(page);
    await page.route(
      REQUEST_CALL,
      async (route) => {
        await route.fetch();
        await route.fulfill({ status, contentType: 'text/html', body: '<html><h1>Gateway</h1></html>' });
      },
      { times: 1 },
    );
    await button.click();
    await expectUnknown(page);
    await lookUps.mend();
    await checkAgain(page);
    await expectWithdrawalPage(page);
    await expectPaidOnce(order);
  });
}

test('UI20: after sign-out nothing of the person before is shown, sent or kept but the bare key', async ({
  page,
  context,
  playwright,
  customer,
}) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '7' };
  const keys = watchKeys(context);
  const button = await openReview(page, order);
  await breakLookUps(page);
  await setFate(page, 'lost');
  await button.click();
  await expectUnknown(page);
  const review = page.url();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  const kept = await page.evaluate(() => JSON.stringify(window.localStorage));
  expect(kept).not.toContain(order.address);
  expect(kept).toContain(keys[0] ?? 'no key');
  const stranger = await playwright.request.newContext({ baseURL: stack.urls.web });
  const bob = await openFundedCustomer(stranger);
  await stranger.dispose();
  await signInByForm(page, bob);
  await page.goto(review);
  await expect(page.getByText('This review is no longer open')).toBeVisible();
  await expect(pressButton(page)).toHaveCount(0);
  await page.goto('/withdrawals');
  await expect(page.getByText('No withdrawals yet.')).toBeVisible();
  await expect(page.getByText(order.address)).toHaveCount(0);
  await expect(page.getByTestId('pending-banner')).toHaveCount(0);
  expect(keys).toHaveLength(1);
  await expectNothingPaid(order);
});

test('UI21: a field we do not know is named and refused, and nothing is accepted without it', async ({
  context,
  customer,
}) => {
  const address = freshAddress();
  const body = { asset: 'USDC', network: 'ethereum', address, memo: null, amount: '2' };
  for (const field of ['tag', 'destination_tag', 'Memo', 'chain', 'fee']) {
    const answer = await requestWithdrawal(context.request, { key: randomUUID(), body: { ...body, [field]: '7' } });
    expectRefusal(answer, 'unknown_field', 400, field);
    expect(answer.refusal?.fields).toEqual([field]);
  }
  await expectNothingPaid({ customerId: customer.userId, address });
});
