import { processInbox } from '#server/inbox/process-inbox.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

// Those of different withdrawals share a transaction; small enough that a stop is never far away.
const INBOX_BATCH = 50;

/** The net under the web process, which applies what it has just stored. */
export function startInboxLoop(tools: WorkerTools): Loop {
  return startLoop({
    name: 'inbox',
    idleMs: tools.times.inboxIdleMs,
    runOnce: async () => {
      const { isFull, parked } = await processInbox(tools, { limit: INBOX_BATCH });
      return { again: isFull && parked === 0 };
    },
  });
}
