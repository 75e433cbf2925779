import { keepHotWallets } from '#server/addresses/keep-hot-wallets.ts';
import type { Statement } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import { checkInvariants, type InvariantResult } from '#server/operator/check-invariants.ts';
import { storeInvariants } from '#server/operator/store-invariants.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

// An operator who just broke something wants to see the count move.
const IDLE_MS = 10_000;
const RECENT_MS = 30 * 60_000;
const DAY_MS = 24 * 3_600_000;
// Every half hour what is older than the short span is counted again, so that nothing falls between two of them.
const TURNS_BETWEEN_DEEP = 180;
// Custody's clock may be ahead of ours.
const AHEAD_MS = 3_600_000;

/** Counts the promises for ever. What the last look at the whole day found stays until the next one finds it gone. */
export function startInvariantLoop(tools: Pick<WorkerTools, 'db' | 'custody'>): Loop {
  let turns = 0;
  let ofTheDay: readonly InvariantResult[] = [];
  return startLoop({
    name: 'invariants',
    idleMs: IDLE_MS,
    runOnce: async () => {
      const [row] = await tools.db.query<{ now: Date }>(nowSql, []);
      const nowMs = row?.now.getTime() ?? Date.now();
      const isDeep = turns % TURNS_BETWEEN_DEEP === 0;
      const span = { fromMs: nowMs - (isDeep ? DAY_MS : RECENT_MS), toMs: nowMs + AHEAD_MS };
      const found = await checkInvariants(tools, span);
      if (isDeep) ofTheDay = found;
      // A day that could not be counted is counted in the next turn.
      if (!isDeep || found.every((one) => one.violations !== null)) turns += 1;
      const results = found.map((one) => worseOf(one, ofTheDay));
      const balances = await tools.custody.balances();
      await storeInvariants(tools, { results, balances });
      if (balances !== null) await keepHotWallets(tools, { balances });
      for (const { name, violations, examples } of results) {
        if (violations !== null && violations > 0) logger().warn('invariant.broken', { name, violations, examples });
      }
      return { again: false };
    },
  });
}

/** Only what custody lists depends on the span; the others are counted over everything in every turn. */
function worseOf(recent: InvariantResult, day: readonly InvariantResult[]): InvariantResult {
  const earlier = day.find((one) => one.name === recent.name);
  const isBySpan = recent.name !== 'ledger' && recent.name !== 'unresolved';
  if (!isBySpan || earlier === undefined || recent.violations === null) return recent;
  return (earlier.violations ?? 0) > recent.violations ? earlier : recent;
}

const nowSql: Statement = { name: 'invariants_now', text: 'select protocol_now() as now' };
