import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { freshAddress } from '#e2e/support/chain.ts';
import { test } from '#e2e/support/customer-test.ts';
import { expectPaidOnce } from '#e2e/support/oracle.ts';
import { signInAsDemo } from '#e2e/support/people.ts';
import { breakLookUps, setFate } from '#e2e/support/request-fate.ts';
import { checkAgain, expectUnknown, expectWithdrawalPage, openReview } from '#e2e/support/review-page.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any page of the customer, ${colorScheme}`, async ({ page, context, customer }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const order = { customerId: customer.userId, address: freshAddress(), amount: '2' };
    await page.goto('/withdraw');
    await page.getByRole('button', { name: 'Review withdrawal' }).click();
    await expect(page.getByText('Please check these first')).toBeVisible();
    await expectNoFindings(page, 'the form with its complaints');
    const button = await openReview(page, order);
    await expectNoFindings(page, 'the review');
    const lookUps = await breakLookUps(page);
    await setFate(page, 'answer_lost');
    await button.click();
    await expectUnknown(page);
    await expectNoFindings(page, 'a request in doubt');
    await lookUps.mend();
    await checkAgain(page);
    await expectWithdrawalPage(page);
    await expectNoFindings(page, 'a withdrawal under way');
    await expectPaidOnce(order);
    await page.reload();
    await expect(page.getByTestId('withdrawal-status')).toHaveAttribute('data-status', 'completed');
    await page.getByRole('button', { name: 'Why only once?' }).click();
    await expect(page.getByText('One transfer.')).toBeVisible();
    await expectNoFindings(page, 'a completed withdrawal with its proof');
    await page.goto('/withdrawals');
    await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
    await expectNoFindings(page, 'the history');
    await context.clearCookies();
    await page.goto('/sign-in');
    await expectNoFindings(page, 'sign-in');
  });
}

test('axe finds nothing on any page of the operator', async ({ page, context, customer }) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '2' };
  const button = await openReview(page, order);
  await button.click();
  await expectWithdrawalPage(page);
  const { withdrawalId } = await expectPaidOnce(order);
  await context.clearCookies();
  await signInAsDemo(page, 'Olga', '/operator');
  await expect(page.getByRole('heading', { name: 'Withdrawals per status' })).toBeVisible();
  await expectNoFindings(page, 'the overview');
  await page.goto('/operator/withdrawals?sort=newest');
  await expect(page.getByRole('table')).toBeVisible();
  await expectNoFindings(page, 'the list');
  await page.goto(`/operator/withdrawals/${withdrawalId}`);
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await expectNoFindings(page, 'one withdrawal');
  await page.goto('/nothing-is-here');
  await expectNoFindings(page, 'nothing');
});

async function expectNoFindings(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const findings = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  expect.soft(findings, what).toEqual([]);
}
