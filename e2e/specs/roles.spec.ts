import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { askApi, expectRefusal, requestWithdrawal } from '#e2e/support/api-call.ts';
import { freshAddress } from '#e2e/support/chain.ts';
import { openFundedCustomer } from '#e2e/support/customer.ts';
import { test } from '#e2e/support/customer-test.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { signInAsDemo } from '#e2e/support/people.ts';
import { stack } from '#e2e/support/running-stack.ts';

test('whoever is not signed in is led to sign-in and back, and gets nothing from the API', async ({
  page,
  playwright,
}) => {
  for (const path of ['/withdraw', '/withdrawals?status=failed&asset=ETH', '/operator', '/operator/audit?page=2']) {
    await page.goto(path);
    await expect(page).toHaveURL(`${stack.urls.web}/sign-in?next=${encodeURIComponent(path)}`);
  }
  const nobody = await playwright.request.newContext({ baseURL: stack.urls.web });
  for (const [procedure, input] of [
    ['account.balances', undefined],
    ['withdrawal.list', {}],
    ['withdrawal.byId', { withdrawalId: randomUUID() }],
    ['operator.withdrawals', {}],
  ] as const) {
    expectRefusal(await askApi(nobody, procedure, input), 'unauthorized', 401, procedure);
  }
  await nobody.dispose();
});

test('to a customer the operator pages and their API do not exist', async ({ page, context, customer }) => {
  expect(customer.userId).toBeTruthy();
  for (const path of ['/operator', '/operator/withdrawals', `/operator/withdrawals/${randomUUID()}`]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
  }
  expectRefusal(await askApi(context.request, 'operator.withdrawals', {}), 'not_found', 404, 'the list');
  const one = await askApi(context.request, 'operator.withdrawal', { withdrawalId: randomUUID() });
  expectRefusal(one, 'not_found', 404, 'one withdrawal');
});

test("another customer's withdrawal is not found, by its page or by the API", async ({
  page,
  context,
  playwright,
  customer,
}) => {
  const owner = await playwright.request.newContext({ baseURL: stack.urls.web });
  const { userId } = await openFundedCustomer(owner);
  const order = { customerId: userId, address: freshAddress(), amount: '2' };
  const body = { asset: 'USDC', network: 'ethereum', memo: null, amount: order.amount, address: order.address };
  const { withdrawal } = await requestWithdrawal(owner, { key: randomUUID(), body });
  const withdrawalId = withdrawal?.withdrawalId ?? '';
  expect(customer.userId).not.toBe(userId);
  for (const procedure of ['withdrawal.byId', 'withdrawal.proof']) {
    expectRefusal(await askApi(context.request, procedure, { withdrawalId }), 'not_found', 404, procedure);
  }
  const paid = await expectPaidOnce(order);
  const byKey = await askApi(context.request, 'withdrawal.byKey', { idempotencyKey: paid.idempotencyKey });
  expect(byKey.text).not.toContain(withdrawalId);
  await page.goto(`/withdrawals/${withdrawalId}`);
  await expect(page.getByRole('heading', { name: 'We find no withdrawal here' })).toBeVisible();
  await owner.dispose();
});

test('staff may look and not withdraw', async ({ page, context }) => {
  await signInAsDemo(page, 'Oscar', '/operator');
  const answer = await requestWithdrawal(context.request, {
    key: randomUUID(),
    body: { asset: 'USDC', network: 'ethereum', memo: null, amount: '2', address: freshAddress() },
  });
  expectRefusal(answer, 'forbidden', 403, 'an approver');
  expect((await askApi(context.request, 'operator.withdrawals', {})).status).toBe(200);
});
