import type { Database } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import { tripBreaker } from '#server/switches/trip-breaker.ts';
import { type Loop, startLoop } from '../run-loop.ts';

// Ten seconds: a script asks a hundred times in it, and no person notices the queries.
const IDLE_MS = 10_000;

/** Pauses what runs wild. @param input.deficits assets whose books do not agree, as the ledger verifier last found them */
export function startBreakerLoop(
  tools: { db: Database },
  input: { deficits: () => ReadonlyMap<string, bigint> },
): Loop {
  return startLoop({
    name: 'breaker',
    idleMs: IDLE_MS,
    runOnce: async () => {
      for (const trip of await tripBreaker(tools, { deficits: input.deficits() })) {
        logger().warn('breaker.tripped', { scope: trip.scope, target: trip.target, reason: trip.reason });
      }
      return { again: false };
    },
  });
}
