import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { requestWithdrawal } from '#e2e/support/api-call.ts';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { askDatabase } from '#e2e/support/database.ts';
import { expectNoFindings } from '#e2e/support/look-at.ts';
import { findStatus } from '#e2e/support/oracle.ts';
import { stack } from '#e2e/support/running-stack.ts';
import { doTwice, openStaff } from '#e2e/support/staff-page.ts';

test('what is queued is parked by its own page, retried from the dead letters without being sent, and taken back', async ({
  browser,
  context,
  customer,
}) => {
  const olga = await openStaff(browser, 'olga');
  const deeds = olga.getByTestId('withdrawal-deeds');
  const body = { asset: 'USDC', network: 'ethereum', address: freshAddress(), memo: null, amount: '2' };
  // It would be sent before anybody finds its page.
  await stack.kill('worker', 'SIGSTOP');
  let withdrawalId = '';
  try {
    const { withdrawal, text } = await requestWithdrawal(context.request, { key: randomUUID(), body });
    if (withdrawal === null) throw new Error(`not accepted: ${text}`);
    withdrawalId = withdrawal.withdrawalId;
    await olga.goto(`/operator/withdrawals/${withdrawalId}`);
    await doTwice(deeds, 'Park for review', { reason: 'smells odd' });
    await expect(deeds.getByText('It is parked. Two people hand it back on the page In doubt.')).toBeVisible();
  } finally {
    await stack.kill('worker', 'SIGCONT');
  }

  await olga.goto('/operator/queues');
  const letter = olga.getByRole('row').filter({ hasText: withdrawalId });
  await doTwice(letter, 'Retry safely');
  await expect(letter.getByText('Woken: it is looked at again now.')).toBeVisible();

  await olga.goto(`/operator/withdrawals/${withdrawalId}`);
  await deeds.getByRole('button', { name: 'Cancel for the customer' }).click();
  await expect(deeds.getByLabel('Reason')).toBeFocused();
  await expectNoFindings(olga, { what: 'one withdrawal with the form of a deed' });
  await deeds.getByRole('button', { name: 'Not now' }).click();
  await doTwice(deeds, 'Cancel for the customer', { reason: 'asked for by letter' });
  await expect(olga.getByTestId('withdrawal-status')).toContainText('Cancelled');
  expect(await findStatus(customer.userId)).toBe('cancelled');
  await olga.context().close();
});

test('a customer is frozen by one person and let go by an approver with a second factor', async ({
  browser,
  customer,
}) => {
  const path = `/operator/customers?search=${encodeURIComponent(customer.email)}`;
  const olga = await openStaff(browser, 'olga', path);
  const seen = olga.getByTestId(`customer-${customer.email}`);
  await doTwice(seen, 'Freeze', { reason: 'odd pattern' });
  await expect(seen).toContainText('Frozen: odd pattern');
  await expect(seen.getByText('Needs the role approver.')).toBeVisible();

  const petra = await openStaff(browser, 'petra', path);
  const row = petra.getByTestId(`customer-${customer.email}`);
  await doTwice(row, 'Lift the freeze', { reason: 'explained', confirms: true });
  await expect(row.getByText('Active', { exact: true })).toBeVisible();
  for (const page of [olga, petra]) await page.context().close();
});

test('an adjustment of the books is proposed by one person and booked by another, once', async ({ browser }) => {
  const reason = `rounding ${randomUUID()}`;
  const petra = await openStaff(browser, 'petra', '/operator/ledger');
  await petra.getByLabel('Asset', { exact: true }).selectOption('USDC');
  await petra.getByLabel('From account').selectOption('withdrawal_fees');
  await petra.getByLabel('To account').selectOption('suspense');
  await petra.getByLabel('Amount', { exact: true }).fill('0.000001');
  await petra.getByLabel('Reason').fill(reason);
  await petra.getByRole('button', { name: 'Propose', exact: true }).dblclick();
  const proposed = petra.getByRole('row').filter({ hasText: reason });
  await expect(proposed.getByText('You proposed it. Another person must confirm.')).toBeVisible();

  const olga = await openStaff(browser, 'olga', '/operator/ledger');
  const row = olga.getByRole('row').filter({ hasText: reason });
  await doTwice(row, 'Confirm', { confirms: true });
  await expect(row).toContainText('Olga Orlow');
  const booked = await askDatabase(
    `select 1 from ledger_adjustments j join ledger_transfers t on t.source_id = j.id and t.kind = 'adjustment' where j.reason = $1`,
    [reason],
  );
  expect(booked).toHaveLength(1);
  for (const page of [olga, petra]) await page.context().close();
});

test('a finding of the reconciliation becomes a case by a press, and its link shows the case when it is closed too', async ({
  browser,
}) => {
  const subject = `a reference ${randomUUID()}`;
  await askDatabase(
    `with run as (insert into reconciliation_runs (cause, asked_by, ended_at, outcome)
       values ('start', 'a test', protocol_now(), 'discrepancies') returning id)
     insert into reconciliation_discrepancies (books, kind, subject, detail, first_run_id, last_run_id)
     select 'ours_custody', 'differs', $1, '{"amount": "7"}', id, id from run`,
    [subject],
  );
  const olga = await openStaff(browser, 'olga', '/operator/reconciliation');
  const finding = olga.getByRole('row').filter({ hasText: subject });
  await doTwice(finding, 'Open a case', { reason: 'nobody knows why' });
  const link = finding.getByRole('link', { name: 'Its case' });
  const id = (await link.getAttribute('href'))?.split('#case-')[1] ?? '';
  await link.click();
  const named = `case-${id}`;
  await olga.getByTestId(named).waitFor();
  await expectNoFindings(olga, { what: 'a case that is open' });
  await doTwice(olga.getByTestId(named), 'Propose to close', { reason: 'explained' });
  await expectNoFindings(olga, { what: 'a case that is proposed to be closed' });

  const oscar = await openStaff(browser, 'oscar', `/operator/cases#${named}`);
  await doTwice(oscar.getByTestId(named), 'Close the case', { confirms: true });
  const first = oscar.getByTestId(/^case-/).first();
  await expect(first).toHaveAttribute('id', named);
  await expect(first).toContainText('Closed by Oscar Otten');

  await olga.goto('/operator/reconciliation');
  await doTwice(finding, 'Close', { reason: 'explained' });
  await expect(finding).toHaveCount(0);
  for (const page of [olga, oscar]) await page.context().close();
});
