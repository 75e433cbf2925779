import { logger } from '#server/logger.ts';

export interface Relay {
  /** Starts the way of one committed outbox row; nobody waits. */
  readonly send: (outboxId: bigint) => void;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
}

/**
 * After a commit the process that made it sends its own row to the queue: a millisecond, where the worker's loop, which is
 * the net under this, would take up to a second. Whatever fails here costs that delay and nothing else.
 */
export function createRelay(relayRow: (outboxId: bigint) => Promise<unknown>): Relay {
  const underWay = new Set<Promise<void>>();
  return {
    send: (outboxId) => {
      const going = relayRow(outboxId).then(
        () => undefined,
        (error: unknown) => logger().warn('outbox.relay_left_to_the_loop', { outboxId, reason: String(error) }),
      );
      underWay.add(going);
      void going.then(() => underWay.delete(going));
    },
    settled: async () => {
      await Promise.all(underWay);
    },
  };
}
