import { expect, type Page } from '@playwright/test';
import { arrangeDoubt } from '#e2e/support/arrange-doubt.ts';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { expectNoFindings, keepPicture, overflowOf } from '#e2e/support/look-at.ts';
import { expectPaidOnce, findStatus } from '#e2e/support/oracle.ts';
import { expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';
import { doTwice, openStaff } from '#e2e/support/staff-page.ts';

const PAGES = [
  ['', 'Overview'],
  ['/withdrawals', 'Withdrawals'],
  ['/approvals', 'Approvals'],
  ['/in-doubt', 'In doubt'],
  ['/cases', 'Cases'],
  ['/reconciliation', 'Reconciliation'],
  ['/queues', 'Queues'],
  ['/switches', 'Switches'],
  ['/customers', 'Customers'],
  ['/assets', 'Assets'],
  ['/ledger', 'Ledger'],
  ['/audit', 'Audit'],
  ['/fault-lab', 'Fault lab'],
] as const;

/** Changes a network where its terms are read: by a double click, once, and the audit knows. Axe looks at the open form with the page. */
async function changeNetwork(page: Page): Promise<void> {
  await expect(page.getByTestId('pair-USDC-ethereum').getByText(/ ago$/), 'what the hot wallet holds').toBeVisible();
  const network = page.getByTestId('network-solana');
  const form = network.locator('form');
  await network.getByRole('button', { name: 'Change' }).click();
  await expect(form.getByLabel('Confirmations')).toBeFocused();
  await expect(form.getByLabel('Explorer')).toHaveValue(/\{hash\}/);
  await expectNoFindings(page, { what: 'the form of a network' });
  await form.getByLabel('Confirmations').fill('33');
  await form.getByRole('button', { name: 'Change' }).dblclick();
  await expect(network).toContainText('33');
  await expect(form).toHaveCount(0);
  const audited = await askDatabase<{ after: string }>(
    `select after ->> 'confirmations_required' as after from audit_log where action = 'network.change' and subject = 'solana'`,
    [],
  );
  expect(audited).toEqual([{ after: '33' }]);
}

test('every page of the operators is found by its navigation, fits a phone, and axe finds nothing, by day and by night', async ({
  browser,
}) => {
  // Thirteen pages, and axe takes a second for each where the machine is busy.
  test.setTimeout(240_000);
  const page = await openStaff(browser, 'olga');
  for (const [path, title] of PAGES) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.getByRole('navigation', { name: 'Operator pages' }).getByRole('link', { name: title }).click();
    await expect(page).toHaveURL(new RegExp(`/operator${path}$`));
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText('Updated')).toBeVisible();
    // With its form open one look sees both.
    if (path === '/assets') await changeNetwork(page);
    else await expectNoFindings(page, { what: title });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    // Only colours change at night.
    await expectNoFindings(page, { what: `${title}, dark`, rules: ['color-contrast'] });
    await page.setViewportSize({ width: 320, height: 800 });
    // A chart learns of its new width after the page has it.
    await expect.poll(() => page.evaluate(overflowOf), `/operator${path}`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  // The house made one before anybody came.
  const [made] = await askDatabase<{ id: string }>(`select id from withdrawals where status = 'completed' limit 1`, []);
  await page.goto(`/operator/withdrawals/${made?.id}`);
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expectNoFindings(page, { what: 'one withdrawal' });
  await page.setViewportSize({ width: 320, height: 800 });
  await expect.poll(() => page.evaluate(overflowOf), 'one withdrawal').toBeLessThanOrEqual(0);
  await page.goto('/nothing-is-here');
  await expectNoFindings(page, { what: 'nothing' });
  await page.context().close();
});

test('a price by hand is proposed by one person and counts when another confirms it', async ({ browser }) => {
  const price = (page: Page) => page.getByRole('table', { name: 'Prices' }).getByRole('row').filter({ hasText: 'SOL' });
  const petra = await openStaff(browser, 'petra', '/operator/assets');
  await doTwice(price(petra), 'Propose', { typed: { 'US dollars': '151.25' } });
  await expect(price(petra).getByText('Petra Pohl proposes 151.25')).toBeVisible();
  await expect(price(petra).getByText('You proposed it. Another person must confirm.')).toBeVisible();

  const olga = await openStaff(browser, 'olga', '/operator/assets');
  await doTwice(price(olga), 'Confirm the price', { confirms: true });
  await expect(price(olga)).toContainText('151.25operator');
  // The demo's feed would let it age, and requests of others would wait for a person.
  await askDatabase(`update prices set source = 'demo feed' where asset_id = 'SOL' returning 1`, []);
  for (const page of [olga, petra]) await page.context().close();
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

  const olga = await openStaff(browser, 'olga', '/operator/approvals');
  const seen = olga.getByRole('row').filter({ hasText: customer.email });
  await expect(seen.getByText('Needs the role approver.')).toBeVisible();

  const oscar = await openStaff(browser, 'oscar', '/operator/approvals');
  const row = oscar.getByRole('row').filter({ hasText: customer.email });
  await doTwice(row, 'Approve', { reason: 'known customer', confirms: true });
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
  const olga = await openStaff(browser, 'olga', '/operator/switches');
  await olga.getByLabel('Scope').selectOption('asset');
  await olga.getByLabel('Target').fill('XRP');
  await olga.getByLabel('Reason').fill('trying the switch');
  await olga.getByRole('button', { name: 'Pause now' }).dblclick();
  const mine = olga.getByTestId('switch-asset-XRP');
  await expect(mine).toHaveCount(1);
  await expect(mine.getByText('Nothing that was claimed before can leave any more.')).toBeVisible();
  await doTwice(mine, 'Propose to resume');
  await expect(mine.getByText('You proposed it. Another person must confirm.')).toBeVisible();

  const oscar = await openStaff(browser, 'petra');
  await expect(oscar.getByText('1 pause in force')).toBeVisible();
  await oscar.goto('/operator/switches');
  const theirs = oscar.getByTestId('switch-asset-XRP');
  // A session alone resumes nothing.
  await theirs.getByRole('button', { name: 'Confirm the resume' }).click();
  await theirs.locator('form').getByRole('button', { name: 'Confirm the resume' }).click();
  await expect(theirs.getByText('Confirm it first: six digits, or your passkey. Nothing was done.')).toBeVisible();
  await theirs.getByRole('button', { name: 'Not now' }).click();
  await doTwice(theirs, 'Confirm the resume', { confirms: true });
  await expect(theirs).toHaveCount(0);

  await oscar.goto('/operator/audit');
  await oscar.getByRole('button', { name: 'Verify the chain' }).click();
  await expect(oscar.getByText(/^The chain holds: \d+ rows/)).toBeVisible();
  await expect(oscar.getByRole('cell', { name: 'switch.resume' }).first()).toBeVisible();
  const download = oscar.waitForEvent('download');
  await oscar.getByRole('button', { name: 'Download CSV' }).click();
  expect((await download).suggestedFilename()).toBe('audit.csv');
  // What is refused says so, and how the support finds it.
  await oscar.goto(`/operator/audit?search=${'x'.repeat(201)}`);
  await oscar.getByRole('button', { name: 'Download CSV' }).click();
  await expect(oscar.getByRole('alert').filter({ hasText: 'Reference for the support' })).toBeVisible();

  await oscar.goto('/operator/withdrawals');
  await oscar.getByLabel('Status', { exact: true }).selectOption('failed');
  // The address follows a moment later: what is typed meanwhile stays, and goes along with the next choice.
  await oscar.getByLabel('Search', { exact: true }).fill('XRP');
  await oscar.getByLabel('Order').selectOption('newest');
  await expect(oscar).toHaveURL(/status=failed&search=XRP&sort=newest$/);
  await oscar.getByRole('button', { name: 'Keep this view' }).click();
  await oscar.getByLabel('Name', { exact: true }).fill('Failed XRP');
  await oscar.getByRole('button', { name: 'Keep this view' }).dblclick();
  await expect(oscar.getByText('Kept.')).toBeVisible();
  await expect(oscar.getByRole('link', { name: 'Failed XRP' })).toHaveAttribute('aria-current', 'page');
  await olga.context().close();
  await oscar.context().close();
});

test('a sceptic breaks everything in the fault lab, and every promise holds', async ({ browser }) => {
  test.setTimeout(180_000);
  const page = await openStaff(browser, 'olga', '/operator/fault-lab');
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
  await page.getByRole('button', { name: 'Kill the worker' }).click();
  await expect(page.getByText('Killed in the middle of whatever it did.')).toBeVisible();
  await page.getByRole('button', { name: 'Start the worker' }).click();
  await expect(page.getByText('It runs again, and finds what the dead one held.')).toBeVisible({ timeout: 40_000 });
  await page.getByRole('button', { name: 'Take back blocks of the chain' }).click();
  await expect(page.getByText('The blocks were replaced')).toBeVisible();
  await page.getByLabel('Service', { exact: true }).selectOption('chain');
  await page.getByLabel('For', { exact: true }).selectOption('5');
  await page.getByRole('button', { name: 'Take it away' }).click();
  await expect(page.getByText('It is away.')).toBeVisible();
  await expect(page.getByTestId('outage-chain')).toContainText('back in');
  const numberOf = async (id: string) => Number(await page.getByTestId(id).textContent());
  await expect.poll(() => numberOf('traffic-accepted'), { timeout: 60_000 }).toBeGreaterThan(9);
  await keepPicture(page, 'operator-fault-lab');
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
  await page.goto('/operator');
  await expect(page.getByTestId('invariant-lost')).toHaveAttribute('data-state', 'kept');
  await keepPicture(page, 'operator-overview');
  await page.context().close();
});

test('a doubt is released on custody’s signed word, and a case closed, by a second person with a second factor', async ({
  browser,
  context,
  customer,
}) => {
  const { withdrawalId, caseId } = await arrangeDoubt(context.request, customer.userId);
  // Whose code was taken by another test has the next one half a minute later: Oscar's was the first of all, Olga's is untouched.
  const petra = await openStaff(browser, 'petra', '/operator/in-doubt');
  const doubt = petra.getByTestId(`doubt-${withdrawalId}`);
  await expect(doubt.getByRole('button', { name: 'Propose a release' })).toHaveAttribute('aria-disabled', 'true');
  await doTwice(doubt, 'Ask the demo’s custody to sign');
  await expect(doubt.getByText(/^Custody signed that nothing was paid/)).toBeVisible();
  await doTwice(doubt, 'Propose a release', { reason: 'custody never had it' });
  await expect(doubt.getByText('Petra Pohl proposes: release the funds')).toBeVisible();
  await expect(doubt.getByText('You proposed it. Another person must confirm.')).toBeVisible();
  await petra.goto('/operator/cases');
  await doTwice(petra.getByTestId(`case-${caseId}`), 'Propose to close', { reason: 'custody explained it' });

  const olga = await openStaff(browser, 'olga', '/operator/in-doubt');
  await doTwice(olga.getByTestId(`doubt-${withdrawalId}`), 'Confirm as the second person', { confirms: true });
  await expect(olga.getByTestId(`doubt-${withdrawalId}`)).toHaveCount(0);
  const oscar = await openStaff(browser, 'oscar', '/operator/cases');
  await doTwice(oscar.getByTestId(`case-${caseId}`), 'Close the case', { confirms: true });
  await expect(oscar.getByTestId(`case-${caseId}`)).toHaveCount(0);
  const [row] = await askDatabase(
    `select w.status, b.held_minor, c.payouts_stopped_at from withdrawals w join customers c on c.id = w.customer_id
     join customer_balances b on b.customer_id = w.customer_id and b.asset_id = w.asset_id where w.id = $1`,
    [withdrawalId],
  );
  expect(row).toEqual({ status: 'failed', held_minor: '0', payouts_stopped_at: null });
  for (const page of [olga, petra, oscar]) await page.context().close();
});
