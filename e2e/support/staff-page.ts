import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { stack } from './running-stack.ts';

type StaffName = 'olga' | 'oscar' | 'petra';

/** Somebody of the staff in a browser of their own. */
export async function openStaff(browser: Browser, who: StaffName, path = '/operator'): Promise<Page> {
  const context = await browser.newContext({ baseURL: stack.urls.web, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const signedIn = await page.request.post('/api/demo/sign-in', { data: { who }, headers: { origin: stack.urls.web } });
  expect(signedIn.status()).toBe(204);
  await page.goto(path);
  return page;
}

/** Opens a deed's form, fills it, says why where it asks, takes the authenticator's code where it asks, and presses its button twice. */
export async function doTwice(
  area: Locator,
  label: string,
  more: { typed?: Readonly<Record<string, string>>; reason?: string; confirms?: boolean } = {},
): Promise<void> {
  await area.getByRole('button', { name: label, exact: true }).click();
  const form = area.locator('form');
  for (const [field, text] of Object.entries(more.typed ?? {})) await form.getByLabel(field).fill(text);
  if (more.reason !== undefined) await form.getByLabel('Reason').fill(more.reason);
  if (more.confirms === true) {
    // A code is taken once, so after another deed of the same person's the next one is half a minute away.
    await form.getByRole('button', { name: 'Demo authenticator' }).click({ timeout: 40_000 });
  }
  // OP02: a double click on an operator's button is one deed.
  await form.getByRole('button', { name: label, exact: true }).dblclick();
  await expect(form).toHaveCount(0);
}
