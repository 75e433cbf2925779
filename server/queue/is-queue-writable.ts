import { QUEUE_PREFIX } from '#server/queue/job-catalog.ts';
import { withDeadline } from '#server/queue/with-deadline.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';

// Longer than the pause between two questions of whoever watches, so that there is one such key and not a trail of them.
const PROBE_LIFE_MS = 60_000;

/** Whether Redis takes a write now. One that is full answers every question, and takes neither jobs nor claims. */
export async function isQueueWritable(deps: { queue: WithdrawalQueue }): Promise<boolean> {
  const { redis, deadlineMs } = deps.queue;
  try {
    await withDeadline(redis.set(`${QUEUE_PREFIX}:probe`, '1', 'PX', PROBE_LIFE_MS), deadlineMs, 'probe');
    return true;
  } catch {
    // Down, hanging or full: "no" is the answer, and who asks shows it as such.
    return false;
  }
}
