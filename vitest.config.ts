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
          // Two files at a time on a machine of two cores: a third saves 25 s of 250, and everybody's deadlines come nearer.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
