import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, expect, type Page } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { expectPaidOnce, findStatus } from '#e2e/support/oracle.ts';
import { signInAsDemo } from '#e2e/support/people.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';
import { stack } from '#e2e/support/running-stack.ts';

const PAGES = [
  ['', 'Overview'],
  ['/withdrawals', 'Withdrawals'],
  ['/approvals', 'Approvals'],
  ['/in-doubt', 'In doubt'],
  ['/reconciliation', 'Reconciliation'],
  ['/queues', 'Queues'],
  ['/switches', 'Switches'],
  ['/customers', 'Customers'],
  ['/assets', 'Assets'],
  ['/ledger', 'Ledger'],
  ['/audit', 'Audit'],
  ['/fault-lab', 'Fault lab'],
] as const;

/** Somebody of the staff in a browser of their own. */
async function openStaff(browser: Browser, name: 'Olga' | 'Oscar'): Promise<Page> {
  const context = await browser.newContext({ baseURL: stack.urls.web, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signInAsDemo(page, name, '/operator');
  return page;
}

/** Opens a deed's form, says why where it asks, and presses its button twice. */
async function doTwice(page: Page, area: ReturnType<Page['locator']>, label: string, reason?: string): Promise<void> {
  await area.getByRole('button', { name: label, exact: true }).click();
  if (reason !== undefined) await area.getByLabel('Reason').fill(reason);
  // OP02: a double click on an operator's button is one deed.
  await area.locator('form').getByRole('button', { name: label, exact: true }).dblclick();
  await expect(area.locator('form')).toHaveCount(0);
  await expect(page.getByRole('main')).toBeVisible();
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every page of the operators is found by its navigation, and axe finds nothing, ${colorScheme}`, async ({
    browser,
  }) => {
    // Twelve pages, and axe takes seconds for each where the machine is busy.
    test.setTimeout(240_000);
    const page = await openStaff(browser, 'Olga');
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [path, title] of PAGES) {
      await page.getByRole('navigation', { name: 'Operator pages' }).getByRole('link', { name: title }).click();
      await expect(page).toHaveURL(new RegExp(`/operator${path}$`));
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      await expect(page.getByText('Updated')).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const findings = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      expect.soft(findings, title).toEqual([]);
    }
    await page.context().close();
  });
}

test('no page of the operators scrolls sideways on a phone', async ({ browser }) => {
  const page = await openStaff(browser, 'Olga');
  await page.setViewportSize({ width: 320, height: 800 });
  for (const [path] of PAGES) {
    await page.goto(`/operator${path}`);
    await expect(page.getByText('Updated')).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, `/operator${path}`).toBeLessThanOrEqual(320);
  }
  await page.context().close();
});

test('OP02: what waits for approval is approved by a double click, once, and is paid once', async ({
  browser,
  page,
  customer,
}) => {
  await askDatabase('update customers set review_all = true where id = $1 returning id', [customer.userId]);
  const order = { customerId: customer.userId, address: freshAddress(), amount: '3' };
  await (await openReview(page, order)).click();
  await expectWithdrawalPage(page);
  expect(await findStatus(customer.userId)).toBe('awaiting_approval');

  const olga = await openStaff(browser, 'Olga');
  await olga.goto('/operator/approvals');
  const seen = olga.getByRole('row').filter({ hasText: customer.email });
  await expect(seen.getByText('Needs the role approver.')).toBeVisible();

  const oscar = await openStaff(browser, 'Oscar');
  await oscar.goto('/operator/approvals');
  const row = oscar.getByRole('row').filter({ hasText: customer.email });
  await row.getByRole('button', { name: 'Approve', exact: true }).click();
  await row.getByLabel('Reason').fill('known customer');
  await row.locator('form').getByRole('button', { name: 'Approve' }).dblclick();
  await expect(row).toHaveCount(0);

  const { withdrawalId } = await expectPaidOnce(order);
  const deeds = await askDatabase(`select 1 from audit_log where action = 'withdrawal.approve' and subject = $1`, [
    withdrawalId,
  ]);
  expect(deeds).toHaveLength(1);
  await oscar.goto(`/operator/withdrawals/${withdrawalId}`);
  await expect(oscar.getByText('The books agree in everything that they know.')).toBeVisible();
  await olga.context().close();
  await oscar.context().close();
});

test('one person pauses at once, two resume, and the deeds stand in a chain that holds', async ({ browser }) => {
  const olga = await openStaff(browser, 'Olga');
  await olga.goto('/operator/switches');
  await olga.getByLabel('Scope').selectOption('asset');
  await olga.getByLabel('Target').fill('XRP');
  await olga.getByLabel('Reason').fill('trying the switch');
  await olga.getByRole('button', { name: 'Pause now' }).dblclick();
  const mine = olga.getByTestId('switch-asset-XRP');
  await expect(mine).toHaveCount(1);
  await expect(mine.getByText('Nothing that was claimed before can leave any more.')).toBeVisible();
  await doTwice(olga, mine, 'Propose to resume');
  await expect(mine.getByText('You proposed it. Another person must confirm.')).toBeVisible();

  const oscar = await openStaff(browser, 'Oscar');
  await oscar.goto('/operator');
  await expect(oscar.getByText('1 pauses in force')).toBeVisible();
  await oscar.goto('/operator/switches');
  const theirs = oscar.getByTestId('switch-asset-XRP');
  await theirs.getByRole('button', { name: 'Confirm the resume' }).click();
  await theirs.locator('form').getByRole('button', { name: 'Confirm the resume' }).click();
  await expect(theirs).toHaveCount(0);

  await oscar.goto('/operator/audit');
  await oscar.getByRole('button', { name: 'Verify the chain' }).click();
  await expect(oscar.getByText(/^The chain holds: \d+ rows/)).toBeVisible();
  await expect(oscar.getByRole('cell', { name: 'switch.resume' }).first()).toBeVisible();
  const download = oscar.waitForEvent('download');
  await oscar.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('audit.csv');
  await olga.context().close();
  await oscar.context().close();
});

test('a sceptic breaks everything in the fault lab, and every promise holds', async ({ browser }) => {
  test.setTimeout(180_000);
  const page = await openStaff(browser, 'Olga');
  await page.goto('/operator/fault-lab');
  await page.getByLabel('Sent three times at once').selectOption('100');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText('Customers are pressing.')).toBeVisible();
  await page.getByLabel('Fault', { exact: true }).selectOption('execute_then_drop');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByText('The fault is on.')).toBeVisible();
  await page.getByLabel('Fault', { exact: true }).selectOption('webhook_lost');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('button', { name: 'Erase Redis' }).click();
  await expect(page.getByText('Redis is empty')).toBeVisible();
  await page.getByRole('button', { name: 'Take back blocks of the chain' }).click();
  await expect(page.getByText('The blocks were replaced')).toBeVisible();
  const numberOf = async (id: string) => Number(await page.getByTestId(id).textContent());
  await expect.poll(() => numberOf('traffic-accepted'), { timeout: 60_000 }).toBeGreaterThan(9);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'End all faults' }).click();
  await expect(page.getByText('All faults are ended.')).toBeVisible();
  expect(await numberOf('traffic-replayed')).toBeGreaterThanOrEqual(await numberOf('traffic-accepted'));
  const open = `select 1 from withdrawals w join users u on u.id = w.customer_id where u.name = 'Traffic'
    and w.status not in ('completed', 'cancelled')`;
  await expect.poll(async () => (await askDatabase(open, [])).length, { timeout: 90_000 }).toBe(0);
  const counted = `select 1 from invariant_checks where checked_at > $1::timestamptz`;
  const [now] = await askDatabase<{ now: Date }>('select protocol_now() as now', []);
  await expect.poll(async () => (await askDatabase(counted, [now?.now])).length, { timeout: 30_000 }).toBe(5);
  for (const name of ['double_transfers', 'lost', 'three_books', 'ledger', 'unresolved']) {
    await expect(page.getByTestId(`invariant-${name}`)).toHaveAttribute('data-state', 'kept');
  }
  await page.context().close();
});
