import { expect, type Page } from '@playwright/test';

/** Sends the form of the sign-in page off; whoever has a second factor is asked for it then. */
export async function submitSignIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Signs a person in by the form, from the page that asks for it. */
export async function signInByForm(page: Page, person: { email: string; password: string }): Promise<void> {
  await submitSignIn(page, person);
  await page.waitForURL((url) => url.pathname !== '/sign-in');
}

/** Signs a demo person in by one press, and comes to `path`. */
export async function signInAsDemo(page: Page, name: 'Alice' | 'Olga' | 'Oscar' | 'Ada', path: string): Promise<void> {
  await page.goto(`/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByRole('button', { name: `Continue as ${name}` }).click();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
}
