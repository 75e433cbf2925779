import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import {
  QUEUE_PREFIX,
  WITHDRAWAL_JOB_OPTIONS,
  WITHDRAWAL_QUEUE,
  type WithdrawalJob,
} from '#server/queue/job-catalog.ts';
import { createRedisConnection } from '#server/queue/redis-connection.ts';

/** The producing end of the queue in one process, with its own connection. */
export interface WithdrawalQueue {
  readonly bull: Queue<WithdrawalJob>;
  readonly redis: Redis;
  /** How long a call waits for Redis. */
  readonly deadlineMs: number;
  close(): Promise<void>;
}

/** Opens the queue for adding; connects in the background, and never fails because Redis is down. */
export function createWithdrawalQueue(options: { redisUrl: string; deadlineMs: number }): WithdrawalQueue {
  const redis = createRedisConnection({ url: options.redisUrl, role: 'producer', name: 'cryptoex-queue' });
  const bull = new Queue<WithdrawalJob>(WITHDRAWAL_QUEUE, {
    connection: redis,
    prefix: QUEUE_PREFIX,
    defaultJobOptions: WITHDRAWAL_JOB_OPTIONS,
    skipWaitingForReady: true,
  });
  // The connection logs its own loss; without a listener the queue's copy of the error would end the process.
  bull.on('error', () => undefined);
  return {
    bull,
    redis,
    deadlineMs: options.deadlineMs,
    // Closing politely waits for a Redis that may be gone; nothing that matters is left in this end.
    close: () => {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}
