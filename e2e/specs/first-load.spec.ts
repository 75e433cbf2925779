import { expect } from '@playwright/test';
import { test } from '#e2e/support/customer-test.ts';

// What the frame alone needs is 162 kB; a page that grows past this is slow on a phone.
const JAVASCRIPT_BYTES_MAX = 185_000;

test('the first load of the withdraw page brings at most 185 kB of JavaScript over the wire', async ({
  page,
  customer,
}) => {
  expect(customer.userId).toBeTruthy();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const scripts = new Set<string>();
  const bytesOf = new Map<string, number>();
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytesOf.set(requestId, encodedDataLength);
  });
  await page.goto('/withdraw', { waitUntil: 'networkidle' });
  await expect(page.getByLabel('Asset', { exact: true })).toBeVisible();
  const sizes = [...scripts].map((requestId) => bytesOf.get(requestId) ?? 0);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(sizes.length).toBeGreaterThan(3);
  expect(bytes, `${sizes.length} scripts, ${bytes} bytes`).toBeLessThanOrEqual(JAVASCRIPT_BYTES_MAX);
  expect(bytes).toBeGreaterThan(50_000);
});
