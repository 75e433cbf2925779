import { Redis } from 'ioredis';
import { logger } from '#server/logger.ts';

/**
 * Connects to Redis, in the background and for ever. A producer's command gives up with the first lost connection, because
 * somebody waits for it; a worker's blocking command waits until Redis is back.
 */
export function createRedisConnection(options: { url: string; role: 'producer' | 'worker'; name: string }): Redis {
  const redis = new Redis(options.url, {
    connectionName: options.name,
    maxRetriesPerRequest: options.role === 'worker' ? null : 1,
    connectTimeout: 2_000,
    // Often enough that a restart is not noticed, seldom enough for a Redis that is gone for the night.
    retryStrategy: (tries) => Math.min(50 * 2 ** Math.min(tries, 5), 1_000),
  });
  let isDown = false;
  // One line when it goes and one when it comes back; a line for each try would bury everything else.
  redis.on('error', (error) => {
    if (isDown) return;
    isDown = true;
    logger().warn('redis.lost', { name: options.name, reason: error.message });
  });
  redis.on('ready', () => {
    if (isDown) logger().info('redis.back', { name: options.name });
    isDown = false;
  });
  return redis;
}

/**
 * Refuses a Redis that may throw keys away when it is full: jobs and claims would vanish one by one and nothing would say so.
 *
 * @throws Error naming the policy found
 */
export async function requireNoEviction(redis: { info(section: string): Promise<string> }): Promise<void> {
  const memory = await redis.info('memory');
  const policy = /maxmemory_policy:([a-z-]+)/.exec(memory)?.[1] ?? 'unknown';
  if (policy !== 'noeviction') throw new Error(`Redis must run with maxmemory-policy noeviction, not ${policy}`);
}
