import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const systemChromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

// Specs with random runs carry their seed in their names, and the runner and its workers must find the same names. Every run
// of `npm test` plays the same seeds; others are played on demand, and the whole by `npm run proof -- --matrix`.
const SEEDS = { MATRIX_SEED: '526476', COMMANDS_SEED: '117122' };
for (const [name, seed] of Object.entries(SEEDS)) process.env[name] ??= seed;

/** One journey over many pages that desks have in parts. */
const PHONE_ONLY = 'specs/customer-phone.spec.ts';

export default defineConfig({
  testDir: 'e2e',
  testMatch: ['{specs,once}/**/*.spec.ts', 'faults/**/*.fault.spec.ts'],
  // One stack serves all specs and some of them break it on purpose: one at a time.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : 'list',
  // Flows that people make on a phone are played there too, by the same spec: `tag: '@phone'`.
  projects: [
    { name: 'desk', testIgnore: PHONE_ONLY },
    { name: 'phone', grep: /@phone/, use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
  ],
  use: {
    baseURL: process.env.BASE_URL ?? 'http://localhost:3000',
    // The trace of a failure holds its steps, requests and console, and its last screen. Pictures of every step would be made
    // for each test that passes too, and cost a tenth of the run.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
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
