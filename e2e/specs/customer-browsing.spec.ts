import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { requestWithdrawal } from '#e2e/support/api-call.ts';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';
import { stack } from '#e2e/support/running-stack.ts';
import { openStaff } from '#e2e/support/staff-page.ts';

const CUSTOMER_PAGES = ['/withdraw', '/withdrawals', '/balances', '/deposits', '/addresses', '/security', '/mail'];
const STAFF_PAGES = ['', '/withdrawals', '/approvals', '/in-doubt', '/cases', '/reconciliation', '/queues']
  .concat(['/switches', '/customers', '/assets', '/ledger', '/audit', '/fault-lab'])
  .map((path) => `/operator${path}`);

test('UI12: Back and Forward show what became of a withdrawal meanwhile, and offer no more than is there', async ({
  page,
  context,
  customer,
}) => {
  // Somebody looks at each of them first, so that this one waits until it is cancelled.
  await askDatabase('update customers set review_all = true where id = $1', [customer.userId]);
  const button = await openReview(page, { address: freshAddress(), amount: '20' });
  await button.click();
  await expectWithdrawalPage(page);
  const withdrawalId = page.url().split('/').at(-1);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Withdraw', exact: true }).click();
  await expectMost(page, '29');
  await navigation.getByRole('link', { name: 'History' }).click();
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: '20 USDC' });
  await expect(row).toContainText('Under review');
  await row.getByRole('link').click();
  await expect(page.getByRole('button', { name: 'Cancel withdrawal' })).toBeVisible();

  // From another device: this one is cancelled, and another one takes most of what came back.
  const headers = { origin: stack.urls.web };
  await expect(async () => {
    const cancelled = await context.request.post('/api/trpc/withdrawal.cancel', { headers, data: { withdrawalId } });
    expect(await cancelled.text()).toContain('"status":"cancelled"');
  }).toPass();
  const body = { asset: 'USDC', network: 'ethereum', address: freshAddress(), memo: null, amount: '40' };
  expect((await requestWithdrawal(context.request, { key: randomUUID(), body })).refusal).toBeNull();

  await page.goBack();
  await expect(row).toContainText('Cancelled');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await page.goBack();
  await expectMost(page, '9');
  await page.getByLabel('Amount', { exact: true }).fill('29');
  await expect(page.getByText('With the fee this is more than the 9.5 USDC you have available.')).toBeVisible();
  await page.goForward();
  await expect(row).toContainText('Cancelled');
  await page.goForward();
  await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'cancelled');
});

/** The most USDC that the form lets somebody withdraw, by its own button. */
async function expectMost(page: Page, most: string): Promise<void> {
  await page.getByLabel('Asset', { exact: true }).selectOption('USDC');
  await expect(async () => {
    await page.getByRole('button', { name: 'Max', exact: true }).click();
    await expect(page.getByLabel('Amount', { exact: true })).toHaveValue(most, { timeout: 500 });
  }).toPass();
}

test('UI16: looking at, hovering over and fetching every link of customers and staff changes nothing', async ({
  page,
  browser,
  customer,
}) => {
  const olga = await openStaff(browser, 'olga');
  const counts = () =>
    askDatabase(
      `select (select count(*) from withdrawals where customer_id = $1) as withdrawals,
        (select count(*) from sessions s join users u on u.id = s.user_id
          where u.id = $1 or u.email like 'olga@%') as sessions,
        (select count(*) from address_book where customer_id = $1) as addresses,
        (select count(*) from totp_factors where user_id = $1) as factors,
        (select count(*) from approvals) as approvals,
        (select md5(string_agg(s::text, ' ' order by s::text)) from switches s) as switches,
        (select count(*) from audit_log a join users u on u.id::text = a.actor_id
          where u.id = $1 or u.email like 'olga@%') as deeds`,
      [customer.userId],
    );
  const before = await counts();
  await lookThrough(page, CUSTOMER_PAGES);
  await lookThrough(olga, STAFF_PAGES);
  expect(await counts()).toEqual(before);
  // Neither of them was signed out.
  await page.goto('/withdraw');
  await expect(page).toHaveURL(/\/withdraw$/);
  await olga.goto('/operator');
  await expect(olga).toHaveURL(/\/operator$/);
  await olga.context().close();
});

/** Reads pages to their end, points at every link of them, and fetches what they lead to, and doors that act when they are asked to. */
async function lookThrough(page: Page, paths: readonly string[]): Promise<void> {
  const hrefs = new Set<string>();
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const href of await page.evaluate(pointAtLinks)) hrefs.add(href);
  }
  // One link to a kind of place stands for all of them.
  const kinds = new Map([...hrefs].map((href) => [href.replaceAll(/[0-9a-f-]{36}|0x[0-9a-f]+/g, 'id'), href]));
  const doors = [
    'auth/sign-out',
    'auth/get-session',
    'trpc/withdrawal.cancel',
    'trpc/operator.switches.set',
    'demo/sign-in',
  ];
  const fetched = [...kinds.values(), ...doors.map((door) => `/api/${door}`)];
  expect(fetched.length).toBeGreaterThan(paths.length);
  await Promise.all(fetched.map((path) => page.request.get(path)));
}

/** All that a pointer and a finger do to a link before they press it. Returns where the links of the house lead to. */
function pointAtLinks(): string[] {
  window.scrollTo(0, document.body.scrollHeight);
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')];
  for (const link of links) {
    for (const name of ['pointerover', 'mouseover', 'touchstart', 'focusin']) {
      link.dispatchEvent(new Event(name, { bubbles: true }));
    }
    link.focus();
  }
  return links.map((link) => link.getAttribute('href') ?? '/');
}

test('UI18: the name of a network comes from the running house to every page, and its scripts hold no address of a house', async ({
  page,
  customer,
}) => {
  const main = page.getByRole('main');
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.text().catch(() => ''));
  });
  await askDatabase(`update networks set name = 'Sepolia (test)' where id = 'ethereum'`);
  try {
    await expect(async () => {
      await page.goto('/withdraw');
      await page.getByLabel('Asset', { exact: true }).selectOption('USDC');
      await expect(page.getByLabel('Network', { exact: true })).toContainText('Sepolia (test)', { timeout: 1_000 });
    }).toPass();
    const button = await openReview(page, { address: freshAddress(), amount: '2' });
    await expect(main).toContainText('Sepolia (test)');
    await expect(main).not.toContainText('Ethereum');
    await button.click();
    await expectWithdrawalPage(page);
    await expect(main).toContainText('Sepolia (test)');
    await expect(main).not.toContainText('Ethereum');
    await page.goto('/deposits');
    await page.getByLabel('Asset').selectOption('USDC');
    await expect(page.getByText('USDC comes in on Sepolia (test) only.')).toBeVisible();
  } finally {
    await askDatabase(`update networks set name = 'Ethereum' where id = 'ethereum'`);
  }
  const text = (await Promise.all(scripts)).join(' ');
  expect(text.length, 'scripts were read').toBeGreaterThan(100_000);
  const houses = Object.values(stack.urls).flatMap((url) => (url === null ? [] : [new URL(url).host]));
  expect(houses.filter((host) => text.includes(host))).toEqual([]);
  expect(customer.userId).toBeTruthy();
});
