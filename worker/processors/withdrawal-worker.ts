import { WaitingError, Worker } from 'bullmq';
import { metrics } from '#server/metrics.ts';
import {
  QUEUE_PREFIX,
  WITHDRAWAL_CONCURRENCY,
  WITHDRAWAL_QUEUE,
  type WithdrawalJob,
  withdrawalJobSchema,
} from '#server/queue/job-catalog.ts';
import { createRedisConnection } from '#server/queue/redis-connection.ts';
import { withDeadline } from '#server/queue/with-deadline.ts';
import { traced } from '#server/tracing.ts';
import { mapJobError } from '../job-error-map.ts';
import type { WorkerTools } from '../worker-tools.ts';
import { processWithdrawal } from './withdrawal-processor.ts';

export interface QueueWorker {
  /** Whether it is connected and takes jobs. */
  isTaking(): boolean;
  /** Takes no further job, and resolves when those that run have ended, or at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

/** Takes jobs from the queue. A worker that lost Redis takes on when it is back; what ran meanwhile is settled by its row. */
export function startWithdrawalWorker(tools: WorkerTools, options: { redisUrl: string }): QueueWorker {
  const redis = createRedisConnection({ url: options.redisUrl, role: 'worker', name: 'cryptoex-worker' });
  const running = new Set<Promise<unknown>>();
  let stopping = false;
  const worker = new Worker<WithdrawalJob>(
    WITHDRAWAL_QUEUE,
    async (job, token) => {
      // Fetched while we were being told to stop: it goes back, and another worker takes it at once.
      if (stopping) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      const run = runJob(tools, job.id, job.data);
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    {
      connection: redis,
      prefix: QUEUE_PREFIX,
      concurrency: WITHDRAWAL_CONCURRENCY,
      lockDuration: tools.times.jobLockMs,
      stalledInterval: tools.times.jobLockMs,
      // BullMQ fails a job that stalled more often, whatever its attempts; a row knows how often it was sent and needs no such end.
      maxStalledCount: 10,
    },
  );
  // The connection logs its own loss; without a listener the worker's copy of the error would end the process.
  worker.on('error', () => undefined);
  return {
    isTaking: () => worker.isRunning() && redis.status === 'ready',
    stop: async (deadlineMs) => {
      stopping = true;
      // Ends the waiting for jobs at once, and never resolves while Redis is down: the deadlines are ours.
      const closed = worker.close();
      await withDeadline(Promise.allSettled([...running]), deadlineMs, 'jobs').catch(() => undefined);
      await withDeadline(closed, 1_000, 'close').catch(() => undefined);
      redis.disconnect();
    },
  };
}

async function runJob(tools: WorkerTools, jobId: string | undefined, data: unknown) {
  const parsed = withdrawalJobSchema.safeParse(data);
  if (!parsed.success) throw mapJobError(parsed.error, { id: jobId, withdrawalId: null });
  const end = metrics().jobSeconds.startTimer();
  try {
    const { withdrawalId } = parsed.data;
    const work = () => processWithdrawal(tools, { withdrawalId });
    const result = await traced('withdrawal.job', withdrawalId, work, ({ kind }) => ({ outcome: kind }));
    metrics().jobs.inc({ outcome: 'ended' });
    const acceptedAtMs = mintedAtMs(withdrawalId);
    if (result.kind === 'submitted' && acceptedAtMs !== null) {
      metrics().dispatchSeconds.observe(Math.max(0, Date.now() - acceptedAtMs) / 1_000);
    }
    return result;
  } catch (error) {
    metrics().jobs.inc({ outcome: 'threw' });
    throw mapJobError(error, { id: jobId, withdrawalId: parsed.data.withdrawalId });
  } finally {
    end();
  }
}

/** When the door named a withdrawal: the first 48 bits of a UUID of version 7 are its milliseconds. Null for other ids. */
function mintedAtMs(withdrawalId: string): number | null {
  const digits = withdrawalId.replaceAll('-', '');
  return digits[12] === '7' ? Number.parseInt(digits.slice(0, 12), 16) : null;
}
