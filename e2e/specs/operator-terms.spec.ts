import { expect, test } from '@playwright/test';
import { askDatabase } from '#e2e/support/database.ts';
import { expectNoFindings } from '#e2e/support/look-at.ts';
import { signInAsDemo } from '#e2e/support/people.ts';

test('an operator changes terms where they read them, once a press, and the audit knows both', async ({ page }) => {
  await signInAsDemo(page, 'Olga', '/operator');
  await page.goto('/operator/assets');
  const network = page.getByTestId('network-solana');
  await network.getByRole('button', { name: 'Change' }).click();
  const form = network.locator('form');
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
});
