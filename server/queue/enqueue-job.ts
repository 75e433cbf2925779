import { logger } from '#server/logger.ts';
import { jobIdOf, type WakeUp } from '#server/queue/job-catalog.ts';
import { withDeadline } from '#server/queue/with-deadline.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';

/**
 * Puts wake-ups into the queue, within a deadline of our own. A wake-up that is already there is ignored by its id. When Redis
 * does not answer, the outbox keeps them: the cost is delay.
 */
export async function enqueueJob(
  deps: { queue: WithdrawalQueue },
  input: { wakeUps: readonly WakeUp[] },
): Promise<{ kind: 'enqueued' } | { kind: 'unavailable' }> {
  const { bull, deadlineMs } = deps.queue;
  const jobs = input.wakeUps.map((wakeUp) => ({
    name: 'wake',
    data: { withdrawalId: wakeUp.withdrawalId },
    opts: { jobId: jobIdOf(wakeUp) },
  }));
  try {
    await withDeadline(bull.addBulk(jobs), deadlineMs, 'enqueue');
    return { kind: 'enqueued' };
  } catch (error) {
    // Every failure here is Redis not answering or not accepting; both mean "later".
    logger().warn('queue.unavailable', {
      jobs: jobs.length,
      reason: error instanceof Error ? error.message : String(error),
    });
    return { kind: 'unavailable' };
  }
}
