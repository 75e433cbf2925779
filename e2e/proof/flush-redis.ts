import { Redis } from 'ioredis';

/** Empties Redis, as an operator does who types into the wrong window. */
export async function flushRedis(url: string): Promise<void> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, lazyConnect: true });
  redis.on('error', () => undefined);
  await redis.connect();
  await redis.flushall();
  redis.disconnect();
}
