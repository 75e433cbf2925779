import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

// As long as the job's lock, as the recipes have it: a dead worker's claim must not outlive its job.
const CLAIM_MS = 1_500;
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

/** The recipe of every tutorial: `SET NX PX` before, compare and delete after. @throws when somebody else has it */
export async function holdClaim(redis: Redis, id: string, work: () => Promise<void>): Promise<void> {
  const [key, token] = [`claim:${id}`, randomUUID()];
  const taken = await redis.set(key, token, 'PX', CLAIM_MS, 'NX');
  if (taken === null) throw new Error('claimed by somebody else');
  try {
    await work();
  } finally {
    await redis.eval(RELEASE, 1, key, token);
  }
}
