import type { Database } from '#server/db/database.ts';
import { closeBalances } from '#server/ledger/close-balances.ts';
import { type LedgerDifference, verifyLedger } from '#server/ledger/verify-ledger.ts';
import { forgetOldUsage } from '#server/limits/forget-old-usage.ts';
import { logger } from '#server/logger.ts';
import { openCaseSql } from '#server/sql/open-case.sql.ts';
import { type Loop, startLoop } from '../run-loop.ts';

const IDLE_MS = 30_000;
// Every entry once in so many turns, about twice a day; between, what came after the last closing.
const TURNS_BETWEEN_DEEP = 1_440;
// About every ten minutes: then a trial balance reads ten minutes of entries.
const TURNS_BETWEEN_CLOSINGS = 20;

/** What the verifier found in its last turn, for whoever trips the breaker: by asset, how much more is claimed than is there. */
export interface LedgerDeficits {
  readonly deficits: () => ReadonlyMap<string, bigint>;
}

/** Verifies the books for ever. A difference opens a case, pauses its asset, and is there again in the next turn. */
export function startLedgerVerifierLoop(tools: { db: Database }): Loop & LedgerDeficits {
  let turns = 0;
  let deficits: ReadonlyMap<string, bigint> = new Map();
  const loop = startLoop({
    name: 'ledger',
    idleMs: IDLE_MS,
    runOnce: async () => {
      const found = await verifyLedger(tools, { deep: turns % TURNS_BETWEEN_DEEP === 0 });
      deficits = deficitsOf(found);
      for (const difference of found) await openCase(tools, difference);
      if (found.length === 0 && turns % TURNS_BETWEEN_CLOSINGS === 0) await closeBalances(tools);
      await forgetOldUsage(tools);
      turns += 1;
      return { again: false };
    },
  });
  return { ...loop, deficits: () => deficits };
}

/** Any difference is a deficit to be afraid of, whatever its sign: it says that the books cannot be trusted. */
function deficitsOf(found: readonly LedgerDifference[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { assetId, differenceMinor } of found) {
    const size = differenceMinor < 0n ? -differenceMinor : differenceMinor;
    sums.set(assetId, (sums.get(assetId) ?? 0n) + size);
  }
  return sums;
}

async function openCase(tools: { db: Database }, difference: LedgerDifference): Promise<void> {
  const { kind, assetId, customerId, differenceMinor } = difference;
  const evidence = { kind, assetId, customerId, differenceMinor: differenceMinor.toString() };
  logger().error('ledger.difference', new Error('the books do not agree with themselves'), evidence);
  const fingerprint = `ledger ${kind} ${assetId} ${customerId ?? ''} ${differenceMinor}`;
  await tools.db.query(openCaseSql, ['ledger_difference', fingerprint, null, null, evidence, assetId]);
}
