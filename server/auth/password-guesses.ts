import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

/** Wrong passwords for one address in five minutes, over all processes: more than a person mistypes. */
const GUESSES_MAX = 10;
const WINDOW_SECONDS = 300;

export interface PasswordGuesses {
  /** Whether this address has been guessed at too often for now. */
  readonly isSpent: (email: string) => Promise<boolean>;
  /** Counts a wrong password. */
  readonly count: (email: string) => Promise<void>;
}

/**
 * Counts wrong passwords for each account in Redis, so that guessing from many addresses is bounded too. Without Redis each
 * process counts for itself, at once and without waiting for it.
 */
export function createPasswordGuesses(redis: Redis): PasswordGuesses {
  const common = { points: GUESSES_MAX, duration: WINDOW_SECONDS, keyPrefix: 'cryptoex:guesses' };
  const limiter = new RateLimiterRedis({
    ...common,
    storeClient: redis,
    rejectIfRedisNotReady: true,
    insuranceLimiter: new RateLimiterMemory(common),
  });
  return {
    isSpent: async (email) => {
      const seen = await limiter.get(keyOf(email));
      return seen !== null && seen.consumedPoints >= GUESSES_MAX;
    },
    count: async (email) => {
      // Beyond the limit it rejects, with the same news that `isSpent` gives.
      await limiter.consume(keyOf(email)).catch(() => undefined);
    },
  };
}

function keyOf(email: string): string {
  return email.trim().toLowerCase().slice(0, 200);
}
