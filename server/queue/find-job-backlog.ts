import { withDeadline } from '#server/queue/with-deadline.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';

/** How many jobs stand where, or null when Redis does not answer in time. */
export async function findJobBacklog(deps: {
  queue: WithdrawalQueue;
}): Promise<{ waiting: number; active: number; delayed: number; failed: number } | null> {
  const { bull, deadlineMs } = deps.queue;
  try {
    const counts = await withDeadline(
      bull.getJobCounts('waiting', 'active', 'delayed', 'failed'),
      deadlineMs,
      'backlog',
    );
    const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
    return { waiting, active, delayed, failed };
  } catch {
    // "No answer" is the answer; who asks shows it as such.
    return null;
  }
}
