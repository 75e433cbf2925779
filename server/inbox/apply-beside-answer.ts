import { type InboxDeps, processInbox } from '#server/inbox/process-inbox.ts';
import { logger } from '#server/logger.ts';

export interface InboxNudge {
  /** This event is stored and may be applied; nobody waits. */
  readonly send: (eventId: string) => void;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
}

/** Events at a time: each is a transaction of its own, and of sixteen connections most are for people who wait. */
const LANES = 4;

/**
 * Applies events in the process that stored them, beside the answer: milliseconds, where the worker's loop, which is the net
 * under this, would take up to two seconds. Few connections at a time, however many come; what fails here costs that delay only.
 */
export function createInboxNudge(deps: InboxDeps): InboxNudge {
  let waiting: string[] = [];
  let running: Promise<void> | null = null;

  const drain = async () => {
    while (waiting.length > 0) {
      const eventIds = waiting;
      waiting = [];
      try {
        // Two events of one withdrawal may meet; each locks the row, and their order makes no difference.
        const lanes = Array.from({ length: LANES }, (_, lane) => eventIds.filter((_, at) => at % LANES === lane));
        const busy = lanes.filter((lane) => lane.length > 0);
        await Promise.all(busy.map((lane) => processInbox(deps, { eventIds: lane, limit: lane.length })));
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
