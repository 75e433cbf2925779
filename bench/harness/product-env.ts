import { DOOR_ORIGIN, DOOR_SECRET } from '../door/door-session.ts';
import { BENCH_WEBHOOK_SECRET } from './secrets.ts';

/** What a process of the product is told in a bench. */
export function productEnv(input: {
  databaseUrl: string;
  redisUrl: string;
  custodyUrl: string;
}): Record<string, string> {
  return {
    DATABASE_URL: input.databaseUrl,
    REDIS_URL: input.redisUrl,
    CUSTODY_URL: input.custodyUrl,
    CUSTODY_API_KEY: 'a key of the bench',
    CUSTODY_WEBHOOK_SECRET: BENCH_WEBHOOK_SECRET,
    PUBLIC_URL: DOOR_ORIGIN,
    AUTH_SECRET: DOOR_SECRET,
  };
}

/** The provider's, which reports to a door of ours. */
export function webhookTo(doorPort: number): Record<string, string> {
  return {
    WEBHOOK_URL: `http://127.0.0.1:${doorPort}/api/webhooks/custody`,
    WEBHOOK_SECRET: BENCH_WEBHOOK_SECRET,
  };
}

/** Where the product with its pages is built, for whoever measures it whole. */
export const PAGES = { buildFolder: '.build-soak', nextDistDir: '.next-soak' } as const;
export const PAGES_ENV = { NEXT_DIST_DIR: PAGES.nextDistDir, NEXT_TELEMETRY_DISABLED: '1' } as const;
