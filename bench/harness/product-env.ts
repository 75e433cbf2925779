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
