import { type InboxDeps, processInbox } from '#server/inbox/process-inbox.ts';
import { logger } from '#server/logger.ts';

export interface InboxNudge {
  /** This event is stored and may be applied; nobody waits. */
  readonly send: (eventId: string) => void;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
}

/**
 * Applies events in the process that stored them, beside the answer: milliseconds, where the worker's loop, which is the net
 * under this, would take up to two seconds. One connection, however many come: what arrives meanwhile goes together after it. What fails
 * here costs that delay only.
 */
export function createInboxNudge(deps: InboxDeps): InboxNudge {
  let waiting: string[] = [];
  let running: Promise<void> | null = null;

  const drain = async () => {
    while (waiting.length > 0) {
      const eventIds = waiting;
      waiting = [];
      try {
        await processInbox(deps, { eventIds, limit: eventIds.length });
      } catch (error) {
        logger().warn('inbox.left_to_the_loop', { events: eventIds.length, reason: String(error) });
      }
    }
    running = null;
  };

  return {
    send: (eventId) => {
      waiting.push(eventId);
      running ??= drain();
    },
    settled: async () => {
      await running;
    },
  };
}
