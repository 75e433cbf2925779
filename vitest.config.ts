import { defineConfig } from 'vitest/config';

// How much world a test needs is in its suffix: `.test.ts` none, `.integration.test.ts` Postgres, Redis and HTTP.
const outside = ['node_modules/**', '.next*/**', '.build*/**', '.state*/**', 'e2e/**/*.spec.ts'];
const integration = '**/*.integration.test.{ts,tsx}';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...outside, integration],
          environment: 'node',
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: [integration],
          exclude: outside,
          environment: 'node',
          // Three files at a time on a machine of two cores: each waits for a third of its time.
          maxWorkers: 3,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
