import type { Database } from '#server/db/database.ts';
import { feedDemoPrices } from '#server/prices/feed-demo-prices.ts';
import { type Loop, startLoop } from '../run-loop.ts';

// A quarter of the age that makes the feeder write, so a price is never much older than that.
const IDLE_MS = 15_000;

/** Keeps the demo's prices fresh; elsewhere a feed of the house does that. */
export function startPriceFeederLoop(tools: { db: Database }): Loop {
  return startLoop({
    name: 'prices',
    idleMs: IDLE_MS,
    runOnce: async () => {
      await feedDemoPrices(tools);
      return { again: false };
    },
  });
}
