import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { expectNoFindings, overflowOf } from '#e2e/support/look-at.ts';
import { linkOfMail } from '#e2e/support/mail.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { signInByForm } from '#e2e/support/people.ts';
import { refusalAnswer } from '#e2e/support/refusal-answer.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';

test('somebody opens an account, confirms their address by a press, and gets back in with a new password', {
  tag: '@phone',
}, async ({ page }) => {
  const email = `${randomUUID()}@e2e.cryptoex.test`;
  await page.goto('/sign-up');
  await page.getByRole('button', { name: 'Open account' }).click();
  await expect(page.getByRole('link', { name: 'Write your name.' })).toBeVisible();
  await page.getByLabel('Your name').fill('Nova Neu');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill('the first of two passwords');
  await expect(async () => {
    if (new URL(page.url()).pathname === '/sign-up') await page.getByRole('button', { name: 'Open account' }).click();
    await expect(page).toHaveURL(/\/withdraw$/, { timeout: 4_000 });
  }).toPass();

  await page.goto('/mail');
  const link = await linkOfMail(email, 'verify-email');
  const opened = await page.context().request.get(link);
  expect(opened.ok()).toBe(true);
  const verified = () => askDatabase('select email_verified from users where email = $1', [email]);
  expect(await verified(), 'a link that was only opened confirms nothing').toEqual([{ email_verified: false }]);
  await page.goto(link);
  await page.getByRole('button', { name: 'Yes, confirm' }).click();
  await expect(page.getByText('Confirmed')).toBeVisible();
  expect(await verified()).toEqual([{ email_verified: true }]);

  await page.context().clearCookies();
  await page.goto('/forgot-password');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('Look into your mail')).toBeVisible();
  await page.goto(await linkOfMail(email, 'reset-password'));
  await page.getByLabel('Password', { exact: true }).fill('the second of two passwords');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Your password is set')).toBeVisible();
  await page.goto('/sign-in');
  await signInByForm(page, { email, password: 'the second of two passwords' });
  // Said where it is looked for, and before a form is filled in for nothing.
  for (const path of ['security', 'withdraw']) {
    await page.goto(`/${path}`);
    await expect(page.getByTestId('freeze'), path).toContainText('Withdrawals rest until');
  }
});

test('a saved address counts its hold down, can be removed at once, and the switch comes off late', async ({
  page,
  customer,
}) => {
  const address = freshAddress();
  await page.goto('/addresses');
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByRole('link', { name: 'Give it a name.' })).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Cold wallet');
  await page.getByLabel('Network', { exact: true }).selectOption('ethereum');
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByRole('button', { name: 'Save address' }).click();
  await expect(page.getByText('Cold wallet is saved.')).toBeVisible();
  await expect(page.getByText(/^Usable in /)).toBeVisible();
  await page.getByRole('button', { name: 'Allow saved addresses only' }).click();
  await expect(page.getByText('On: withdrawals go to saved addresses only.')).toBeVisible();
  const button = await openReview(page, { address: freshAddress(), amount: '2' });
  await button.click();
  await expect(page.getByText('You allow withdrawals to your address book only')).toBeVisible();
  await page.goto('/addresses');
  await page.getByRole('button', { name: 'Allow any address again' }).click();
  await expect(page.getByText(/^Still on\. It goes off in /)).toBeVisible();
  await page.getByRole('button', { name: 'Keep it on' }).click();
  await expect(page.getByText('On: withdrawals go to saved addresses only.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Cold wallet' }).click();
  await expect(page.getByText('No saved addresses yet.')).toBeVisible();
  expect(customer.userId).toBeTruthy();
});

test('the history is narrowed by anything, and comes as a file', { tag: '@phone' }, async ({ page, customer }) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '2.5' };
  const button = await openReview(page, order);
  await button.click();
  await expectWithdrawalPage(page);
  const { transactionHash, withdrawalId, idempotencyKey } = await expectPaidOnce(order);
  await page.goto('/withdrawals');
  const rows = page.getByRole('main').getByRole('listitem');
  const search = page.getByLabel('Address, transaction id, reference or key');
  for (const text of [order.address.toLowerCase(), transactionHash, withdrawalId, idempotencyKey]) {
    await search.fill(text);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page).toHaveURL(new RegExp(text, 'i'));
    await expect(rows).toHaveCount(1);
  }
  await search.fill(freshAddress());
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Nothing fits these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  // On a phone the list comes before what narrows it.
  const more = page.getByRole('button', { name: 'Filter the list' });
  if (await more.isVisible()) await more.click();
  await page.getByLabel('Status', { exact: true }).selectOption('completed');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(rows).toHaveCount(1);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text.split('\n')[0]).toContain('requested_at,status,asset,network,amount');
  expect(text).toContain(transactionHash);
});

test('the fee comes on top or out of the amount, as the customer chooses', async ({ page, customer }) => {
  const address = freshAddress();
  await page.goto('/withdraw');
  await page.getByLabel('Asset', { exact: true }).selectOption('USDC');
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByLabel('Take it from the amount').check();
  await page.getByRole('button', { name: 'Max', exact: true }).click();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('50');
  await page.getByRole('button', { name: 'Review withdrawal' }).click();
  await page.getByRole('button', { name: /^Withdraw 50 USDC/ }).click();
  await expectWithdrawalPage(page);
  await expectPaidOnce({ customerId: customer.userId, address, amount: '49.5' });
});

test('AM04: a fee that changed since the review is told before the press, refused after it, and charged only when it was seen', async ({
  page,
  customer,
}) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '2' };
  // The house asks 0.5; this page was told less, as before a change.
  await page.route(/withdrawal\.quote/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('"fee":"0.5"', '"fee":"0.4"') });
  });
  const button = await openReview(page, order);
  const fee = page.getByRole('main').locator('dl');
  await expect(fee).toContainText('0.4 USDC');
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await expect(page.getByText('You reviewed a fee of 0.4 USDC. It is 0.5 USDC now.')).toBeVisible();
  await button.click();
  await expect(page.getByText('Not accepted. Nothing was sent.')).toBeVisible();
  await expect(page.getByText('You reviewed a fee of 0.4 USDC. It is 0.5 USDC now.')).toBeVisible();
  await expectNoFindings(page, { what: 'a refused request' });
  await page.getByRole('button', { name: 'Review with the new fee' }).click();
  await expect(fee).toContainText('0.5 USDC');
  await expect(fee).toContainText('2.5 USDC');
  await button.click();
  await expectWithdrawalPage(page);
  await expectPaidOnce(order, { refusals: ['fee_changed'] });
  const totals = await askDatabase<{ total_minor: string }>(
    `select total_minor from withdrawals where customer_id = $1 and status <> 'refused'`,
    [customer.userId],
  );
  expect(totals).toEqual([{ total_minor: '2500000' }]);
  // The request that was refused has a page of its own.
  const [refused] = await askDatabase<{ id: string }>(
    `select id from withdrawals where customer_id = $1 and status = 'refused'`,
    [customer.userId],
  );
  await page.goto(`/withdrawals/${refused?.id}`);
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'refused');
  await expectNoFindings(page, { what: 'the page of a refused withdrawal' });
});

test('signing out everywhere else ends the other session, and leaves this one', { tag: '@phone' }, async ({
  page,
  browser,
  customer,
}) => {
  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await elsewhere.goto('/sign-in');
  await signInByForm(elsewhere, customer);
  await page.goto('/security');
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);
  await elsewhere.goto('/withdraw');
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await page.goto('/balances');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Balances');
  await other.close();
});

test('every page speaks German whole', async ({ page, context, customer }) => {
  await page.goto('/withdraw');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Auszahlen');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [path, title] of [
    ['/withdrawals', 'Auszahlungen'],
    ['/balances', 'Guthaben'],
    ['/deposits', 'Einzahlungen'],
    ['/addresses', 'Adressbuch'],
    ['/security', 'Sicherheit'],
    ['/mail', 'Post'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0);
    const overflow = await page.evaluate(overflowOf);
    expect(overflow, `${path} is wider than 320 px: German words are long`).toBeLessThanOrEqual(0);
  }
  const [person] = await askDatabase<{ language: string }>('select language from users where id = $1', [
    customer.userId,
  ]);
  expect(person?.language, 'mail speaks it too').toBe('de');
  await context.clearCookies({ name: /session_token/ });
  await page.goto('/sign-in');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anmelden');
  expect(customer.userId).toBeTruthy();
});

test('a page that shows what it knew before says how old it is and why; one that cannot load, what to name to the support', async ({
  page,
  context,
  customer,
}) => {
  expect(customer.userId).toBeTruthy();
  await page.goto('/withdrawals');
  await expect(page.getByText(/^Updated /)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expectNoFindings(page, { what: 'the history offline' });
  await expect(page.getByText(/^Updated /), 'the age is told all the same').toBeVisible();
  await page.route('**/api/trpc/**', (route) =>
    route.fulfill(refusalAnswer('service_unavailable', 'id-of-this-answer')),
  );
  await context.setOffline(false);
  await expect(page.getByText('The last refresh did not get through.')).toBeVisible();
  const main = page.getByRole('main');
  for (const path of ['addresses', 'balances', 'deposits', 'mail', 'security', 'withdrawals', 'withdraw']) {
    await page.goto(`/${path}`);
    await expect(main.getByText('Reference for the support: id-of-this-answer').first(), path).toBeVisible();
  }
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(main.getByText('Referenz für den Kundendienst: id-of-this-answer').first()).toBeVisible();
  await page.unroute('**/api/trpc/**');
  const answered = page.waitForResponse(/withdrawal\.byId/);
  await page.goto(`/withdrawals/${randomUUID()}`);
  const id = (await (await answered).headerValue('x-request-id')) ?? 'none';
  await expect(main.getByText(`Referenz für den Kundendienst: ${id}`)).toBeVisible();
});

test('a cancel is a request with its own result: done, or too late', async ({ page, customer }) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '2' };
  const sent = await openReview(page, order);
  await sent.click();
  await expectWithdrawalPage(page);
  await expectPaidOnce(order);
  // A page that has not heard yet what happened since.
  await page.route(/withdrawal\.byId/, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace('"status":"completed"', '"status":"queued"');
    return route.fulfill({ response: answer, body: text.replace('"canCancel":false', '"canCancel":true') });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Cancel withdrawal' }).click();
  await expect(page.getByText('It was too late to cancel')).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await expectRecountTold(page);

  await askDatabase('update customers set review_all = true where id = $1', [customer.userId]);
  const waiting = await openReview(page, { address: freshAddress(), amount: '3' });
  await waiting.click();
  await expectWithdrawalPage(page);
  await expect(page.getByText('It can be cancelled until it is handed to our custodian.')).toBeVisible();
  await expectNoFindings(page, { what: 'a withdrawal under review' });
  await page.getByRole('button', { name: 'Cancel withdrawal' }).click();
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'cancelled');
  await expect(page.getByText('You cancelled it before it was sent.').first()).toBeVisible();
  await expectNoFindings(page, { what: 'a cancelled withdrawal' });
});

/** Plays a network that takes blocks back to the page of a withdrawal, which explains why its count fell. */
async function expectRecountTold(page: Page): Promise<void> {
  let confirmations = 3;
  await page.route(/withdrawal\.byId/, async (route) => {
    const answer = await route.fetch();
    const text = (await answer.text()).replace('"status":"completed"', '"status":"broadcast"');
    return route.fulfill({
      response: answer,
      body: text.replace(/"confirmations":\d+/, `"confirmations":${confirmations}`),
    });
  });
  await page.reload();
  await expect(page.getByText(/^3 of \d+ confirmations$/)).toBeVisible();
  confirmations = 1;
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(page.getByText(/^1 of \d+ confirmations$/)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'the confirmations are counted anew' })).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
}
