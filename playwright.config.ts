import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const systemChromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

// Specs with random runs carry their seed in their names. The runner and its workers each load them, and must find the
// same names: the seed is drawn once, here, in the runner, whose environment the workers inherit.
for (const name of ['MATRIX_SEED', 'COMMANDS_SEED']) {
  process.env[name] ??= String(Math.floor(Math.random() * 1_000_000));
}

export default defineConfig({
  testDir: 'e2e',
  testMatch: ['specs/**/*.spec.ts', 'faults/**/*.fault.spec.ts'],
  // One stack serves all specs and some of them break it on purpose: one at a time.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : 'list',
  use: {
    baseURL: process.env.BASE_URL ?? 'http://localhost:3000',
    // The traces of a failure hold its requests, screens and console.
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
