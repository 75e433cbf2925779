import type { BrowserContext, Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { askDatabase } from './database.ts';

/** A change of a second factor freezes withdrawals and sends the next ones to people; a test of codes goes on at once. */
export async function withoutFreeze(): Promise<{ restore: () => Promise<void> }> {
  await askDatabase(`update protocol_settings set security_freeze = '0', security_review = '0'`);
  return {
    restore: async () => {
      await askDatabase(`update protocol_settings set security_freeze = '24 hours', security_review = '7 days'`);
    },
  };
}

/** The code that an authenticator shows now, or showed or will show some steps away. */
export function codeOf(secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });
}

/** Sets an authenticator up as a person would. The code that it was confirmed with is the one before the present. */
export async function setUpAuthenticator(
  page: Page,
  password: string,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.goto('/security');
  await page.getByRole('button', { name: 'Set up an authenticator' }).click();
  await page.getByLabel('Your password', { exact: true }).first().fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const secret = (await page.getByTestId('totp-secret').getAttribute('data-secret')) ?? '';
  const turnOn = async () => {
    await page.getByLabel('The code that it shows now').fill(codeOf(secret, -1));
    await page.getByRole('button', { name: 'Turn it on' }).click();
  };
  await turnOn();
  const codes = page.getByRole('heading', { name: 'Recovery codes' }).locator('xpath=../..').getByRole('listitem');
  const refused = page.getByText('Take a new one.');
  await codes.first().or(refused).waitFor();
  // The half minute ended between reading the code and sending it, and the one before is too old by then.
  if (await refused.isVisible()) await turnOn();
  await codes.first().waitFor();
  const recoveryCodes = await codes.allTextContents();
  await page.getByRole('button', { name: 'I have written them down' }).click();
  return { secret, recoveryCodes };
}

/** Gives the browser a device that confirms by itself, and adds its passkey as a person would. */
export async function addPasskey(page: Page, context: BrowserContext, password: string): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/security');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name of the passkey').fill('Test device');
  await page.getByLabel('Your password', { exact: true }).first().fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Test device' }).waitFor();
}
