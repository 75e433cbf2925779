import { logger } from '#server/logger.ts';

export interface Relay {
  /** Starts the way of one committed outbox row; nobody waits. */
  readonly send: (outboxId: bigint) => void;
  /** Resolves when nothing is under way. */
  readonly settled: () => Promise<void>;
}

/**
 * After a commit the process that made it sends its own row to the queue: a millisecond, where the worker's loop, which is
 * the net under this, would take up to a second. Whatever fails here costs that delay and nothing else. Rows that are committed
 * while others are on their way go together, next: a lease, a trip to Redis and a mark for all of them.
 *
 * @param batchMax rows at once, at most
 */
export function createRelay(
  relayRows: (outboxIds: readonly bigint[]) => Promise<unknown>,
  { batchMax = 200 }: { batchMax?: number } = {},
): Relay {
  let waiting: bigint[] = [];
  let underWay: Promise<void> | null = null;

  const drain = async () => {
    while (waiting.length > 0) {
      const outboxIds = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      try {
        await relayRows(outboxIds);
      } catch (error) {
        logger().warn('outbox.relay_left_to_the_loop', { outboxIds: outboxIds.map(String), reason: String(error) });
      }
    }
    underWay = null;
  };

  return {
    send: (outboxId) => {
      waiting.push(outboxId);
      underWay ??= drain();
    },
    settled: async () => {
      await underWay;
    },
  };
}
