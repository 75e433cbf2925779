import { expect, type Request } from '@playwright/test';
import { test } from '#e2e/support/customer-test.ts';

// What the frame alone needs is 162 kB; a page that grows past this is slow on a phone.
const JAVASCRIPT_BYTES_MAX = 185_000;

test('the first load of the withdraw page brings at most 185 kB of compressed JavaScript', async ({
  page,
  customer,
}, testInfo) => {
  expect(customer.userId).toBeTruthy();
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request);
  });
  await page.goto('/withdraw', { waitUntil: 'networkidle' });
  await expect(page.getByLabel('Asset', { exact: true })).toBeVisible();
  const sizes = await Promise.all(scripts.map(async (script) => (await script.sizes()).responseBodySize));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  testInfo.annotations.push({ type: 'first load', description: `${sizes.length} scripts, ${bytes} bytes` });
  expect(bytes, `${sizes.length} scripts`).toBeLessThanOrEqual(JAVASCRIPT_BYTES_MAX);
  // The frame alone is larger: less would mean that the measure missed some.
  expect(bytes).toBeGreaterThan(100_000);
});
