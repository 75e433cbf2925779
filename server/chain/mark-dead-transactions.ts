import { isDead } from '#domain/chain-confirmation.ts';
import type { ChainPort, TransactionSighting } from '#server/chain/chain-port.ts';
import type { Database } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import { findSuspectTransactionsSql } from '#server/sql/find-suspect-transactions.sql.ts';
import { markDeadTransactionSql } from '#server/sql/mark-dead-transaction.sql.ts';

// Three questions to the node each; the next head takes the rest.
const SUSPECTS_A_HEAD = 20;

interface Suspect {
  readonly withdrawal_id: string;
  readonly transaction_hash: string;
  readonly nonce: string | null;
  readonly confirmations_required: number;
}

/**
 * Proves transactions dead that custody has given up: a final block shows that they failed, or that their nonce was spent by
 * another. Not seen is not dead, and a node that no longer knows who signed one proves nothing about its nonce.
 *
 * @param input.headNumber the newest block that is indexed, so that a reader who is behind judges by what it has read
 */
export async function markDeadTransactions(
  deps: { db: Database; chain: ChainPort },
  input: { networkId: string; headNumber: number },
): Promise<{ dead: number }> {
  const { networkId, headNumber } = input;
  const suspects = await deps.db.query<Suspect>(findSuspectTransactionsSql, [networkId, SUSPECTS_A_HEAD]);
  let dead = 0;
  for (const suspect of suspects) {
    const finalNumber = headNumber - suspect.confirmations_required + 1;
    if (finalNumber < 0) continue;
    const sighting = await deps.chain.transaction(suspect.transaction_hash);
    const { receipt } = sighting;
    const isFinal = receipt !== null && receipt.blockNumber <= finalNumber;
    const verdict = isDead({
      reader: { halted: false, behind: false },
      finalReceipt: !isFinal ? null : receipt.succeeded ? 'succeeded' : 'failed',
      replacedByFinalHash: await findReplacement(deps, sighting, finalNumber),
      lastValidNumber: null,
      finalNumber,
    });
    if (!verdict.dead) continue;
    const { withdrawal_id: withdrawalId, transaction_hash: transactionHash } = suspect;
    await deps.db.query(markDeadTransactionSql, [withdrawalId, transactionHash, verdict.reason]);
    logger().warn('chain.transaction_dead', { withdrawalId, transactionHash, reason: verdict.reason });
    dead += 1;
  }
  return { dead };
}

/** That its sender's nonce is spent in a final block while it is in none itself; null where that is not proved. */
async function findReplacement(
  deps: { chain: ChainPort },
  sighting: TransactionSighting,
  finalNumber: number,
): Promise<string | null> {
  const { receipt, signed } = sighting;
  if (receipt !== null || signed === null) return null;
  const spent = await deps.chain.spentNonces(signed.from, finalNumber);
  return spent > signed.nonce ? `nonce ${signed.nonce}` : null;
}
