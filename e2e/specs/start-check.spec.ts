import { expect, test } from '@playwright/test';
import { stack } from '#e2e/support/running-stack.ts';
import { withdrawOnce } from '#stack/withdraw-once.ts';

// What `npm start -- --check` does once its stack is up.
test('a check drives one withdrawal to its end and names its transaction; a stack that is away fails it with the reason', async () => {
  const { web: webUrl, custody: custodyUrl } = stack.urls;
  const done = await withdrawOnce({ webUrl, custodyUrl });
  expect(done.transactionHash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(done.durationMs).toBeGreaterThan(0);
  await expect(withdrawOnce({ webUrl: 'http://127.0.0.1:9', custodyUrl })).rejects.toThrow('fetch failed');
});
