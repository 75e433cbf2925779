import type { Database } from '#server/db/database.ts';
import { creditDeposits } from '#server/deposits/credit-deposits.ts';
import { logger } from '#server/logger.ts';
import { countConfirmationsSql } from '#server/sql/count-confirmations.sql.ts';
import { finalizeEffectsSql } from '#server/sql/finalize-effects.sql.ts';
import { findFinalPaymentsSql } from '#server/sql/find-final-payments.sql.ts';
import { forgetOldBlocksSql } from '#server/sql/forget-old-blocks.sql.ts';
import { tieEffectsSql } from '#server/sql/tie-effects.sql.ts';
import { applyChainEvent } from '#server/withdrawals/apply-chain-event.ts';

// Many times the deepest finality that anybody configures.
const BLOCKS_KEPT = 10_000;
// Names and blocks that were written at the same moment are told apart by a second or two.
const TIED_BACK = 100;
// Seldom enough to cost nothing, often enough to stay a small bite.
const FORGET_EVERY = 500;

/**
 * What a new head means for withdrawals: their confirmations grow, or fall to 0 where a reorg dropped them, and what is deep
 * enough is settled, each in a transaction of its own. Safe to repeat, and to run twice at once.
 *
 * @param input.indexed how many blocks this turn has written below the head
 */
export async function applyChainHead(
  deps: { db: Database },
  input: { networkId: string; headNumber: number; indexed?: number },
): Promise<{ counted: number; completed: number }> {
  const { networkId, headNumber } = input;
  await deps.db.query(tieEffectsSql, [networkId, headNumber, TIED_BACK + (input.indexed ?? 0)]);
  const counted = await deps.db.query(countConfirmationsSql, [networkId, headNumber]);
  const payments = await deps.db.query<{ id: string; confirmations: number }>(findFinalPaymentsSql, [
    networkId,
    headNumber,
  ]);
  let completed = 0;
  for (const { id, confirmations } of payments) {
    const settled = await settle(deps, { effectId: id, headNumber, confirmations });
    if (settled === 'completed') completed += 1;
  }
  await deps.db.query(finalizeEffectsSql, [networkId, headNumber]);
  await creditDeposits(deps, { networkId, headNumber });
  if (hasCrossed(headNumber, input.indexed ?? 0))
    await deps.db.query(forgetOldBlocksSql, [networkId, headNumber - BLOCKS_KEPT]);
  return { counted: counted.length, completed };
}

/** A turn may write many blocks, and its last one need not be the one that is counted to. */
function hasCrossed(headNumber: number, indexed: number): boolean {
  return Math.floor(headNumber / FORGET_EVERY) > Math.floor((headNumber - indexed) / FORGET_EVERY);
}

async function settle(
  deps: { db: Database },
  input: { effectId: string; headNumber: number; confirmations: number },
): Promise<string> {
  try {
    const { kind } = await deps.db.transaction((tx) => applyChainEvent({ db: tx }, input));
    if (kind === 'completed') logger().info('withdrawal.completed', { effectId: input.effectId });
    return kind;
  } catch (error) {
    // One payment that cannot be settled must not hold up the others; it is found again with the next head.
    logger().error('chain.payment_failed', error, { effectId: input.effectId });
    return 'failed';
  }
}
