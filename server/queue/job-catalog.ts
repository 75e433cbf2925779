import type { JobsOptions } from 'bullmq';
import { z } from 'zod';

/** The one queue: a wake-up for one withdrawal. */
export const WITHDRAWAL_QUEUE = 'withdrawals';

/** One hash tag for all keys of the queue, so that a Redis Cluster keeps them on one node. */
export const QUEUE_PREFIX = '{cryptoex}';

/** A job carries the id and nothing else: everything that decides is read from the row. */
export const withdrawalJobSchema = z.strictObject({ withdrawalId: z.uuid() });

export type WithdrawalJob = z.infer<typeof withdrawalJobSchema>;

/** One wake-up, as the outbox holds it. */
export interface WakeUp {
  readonly withdrawalId: string;
  readonly outboxId: string;
}

/**
 * The job id carries the number of the wake-up. Under the withdrawal's id alone BullMQ would silently ignore every further
 * wake-up for as long as it keeps the first, a failed one included. No colon and not digits only: both are refused.
 */
export function jobIdOf(wakeUp: WakeUp): string {
  return `${wakeUp.withdrawalId}-${wakeUp.outboxId}`;
}

export const WITHDRAWAL_JOB_OPTIONS: JobsOptions = {
  // A retry is one more wake-up after a bug or a lost database, seconds apart; the sweeper wakes the row anyway.
  attempts: 3,
  backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
  // Kept so long that a copy of the same outbox row is recognised, and so few that Redis stays small.
  removeOnComplete: { age: 600, count: 2_000 },
  // A day for whoever looks for the reason; the row and its review board are what people work with.
  removeOnFail: { age: 86_400, count: 5_000 },
};

/** Sends in flight in one worker: 50 to 100 keep a provider of 50 ms busy. */
export const WITHDRAWAL_CONCURRENCY = 50;
