import { refuse } from '#domain/refusal.ts';
import type { CustomerGate } from '#server/api/context.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';

/**
 * A turnstile for each customer. All requests of one customer wait for one row in the database, each holding a connection
 * meanwhile: without this, one customer with a script takes the pool from everybody.
 *
 * @param input.runningMax at once in the database
 * @param input.waitingMax in line behind them; the next one is refused, and may send the same key again
 */
export function createCustomerGate(input: { runningMax: number; waitingMax: number }): CustomerGate {
  const lines = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    run: async (customerId, work) => {
      const line = lines.get(customerId) ?? { running: 0, waiting: [] };
      lines.set(customerId, line);
      if (line.running >= input.runningMax) {
        if (line.waiting.length >= input.waitingMax) throw new RefusalError(refuse('rate_limited'));
        // Whoever leaves hands their place over, so `running` stays as it is.
        await new Promise<void>((resolve) => line.waiting.push(resolve));
      } else {
        line.running += 1;
      }
      try {
        return await work();
      } finally {
        const next = line.waiting.shift();
        if (next !== undefined) next();
        else {
          line.running -= 1;
          if (line.running === 0) lines.delete(customerId);
        }
      }
    },
  };
}
