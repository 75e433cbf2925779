import { isDead } from '#domain/chain-confirmation.ts';
import type { ChainPort, TransactionSighting } from '#server/chain/chain-port.ts';
import type { Database } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import { findSuspectTransactionsSql } from '#server/sql/find-suspect-transactions.sql.ts';
import { markDeadTransactionSql } from '#server/sql/mark-dead-transaction.sql.ts';
import { openContradiction } from '#server/withdrawals/open-contradiction.ts';

// Three questions to the node each; the next head takes others.
const SUSPECTS_A_HEAD = 20;

// A transaction that was named is mined within a few blocks; what is unseen for so long is asked about.
const SEEN_WITHIN_MS = 10 * 60_000;

interface Suspect {
  readonly withdrawal_id: string;
  readonly customer_id: string;
  readonly asset_id: string;
  readonly transaction_hash: string;
  readonly nonce: string | null;
  readonly confirmations_required: number;
  readonly given_up: boolean;
  /** What it moved instead, as far as we watch it. */
  readonly effects: readonly object[];
}

/**
 * Judges transactions that custody named and that paid nobody. One that a final block shows to have failed, or whose nonce was
 * spent by another, is dead; where custody has not given its transfer up, that is a case as well. One that succeeded and did
 * not pay its withdrawal (a token that keeps a fee, one of another contract, another receiver) is a case with what it moved
 * instead. Not seen is not dead, and a node that no longer knows who signed one proves nothing about its nonce.
 *
 * @param input.headNumber the newest block that is indexed, so that a reader who is behind judges by what it has read
 */
export async function markDeadTransactions(
  deps: { db: Database; chain: ChainPort },
  input: { networkId: string; headNumber: number },
): Promise<{ dead: number }> {
  const { networkId, headNumber } = input;
  const values = [networkId, SUSPECTS_A_HEAD, headNumber, SEEN_WITHIN_MS];
  const suspects = await deps.db.query<Suspect>(findSuspectTransactionsSql, values);
  let dead = 0;
  for (const suspect of suspects) {
    const finalNumber = headNumber - suspect.confirmations_required + 1;
    if (finalNumber < 0) continue;
    const sighting = await deps.chain.transaction(suspect.transaction_hash);
    const { receipt } = sighting;
    // What we have read in a block ourselves is in the chain, whatever a node that has fallen behind says of it now.
    const isUnseen = receipt === null && suspect.effects.length === 0;
    const isFinal = receipt !== null && receipt.blockNumber <= finalNumber;
    const verdict = isDead({
      reader: { halted: false, behind: false },
      finalReceipt: !isFinal ? null : receipt.succeeded ? 'succeeded' : 'failed',
      replacedByFinalHash: isUnseen ? await findReplacement(deps, sighting, finalNumber) : null,
      // Where it stands in a block that is not final yet, its last block is no end.
      lastValidNumber: isUnseen ? (sighting.lastValidNumber ?? null) : null,
      finalNumber,
    });
    if (verdict.reason === 'succeeded') await openCase(deps, suspect, 'paid_otherwise', sighting);
    if (!verdict.dead) continue;
    const { withdrawal_id: withdrawalId, transaction_hash: transactionHash } = suspect;
    await deps.db.query(markDeadTransactionSql, [withdrawalId, transactionHash, verdict.reason]);
    logger().warn('chain.transaction_dead', { withdrawalId, transactionHash, reason: verdict.reason });
    if (verdict.reason === 'failed_in_final_block' && !suspect.given_up) {
      await openCase(deps, suspect, 'payment_reverted', sighting);
    }
    dead += 1;
  }
  return { dead };
}

/** Custody's word and the chain's do not fit together; the row waits, and people hear of it once. */
async function openCase(
  deps: { db: Database },
  suspect: Suspect,
  kind: 'paid_otherwise' | 'payment_reverted',
  { receipt }: TransactionSighting,
): Promise<void> {
  const { withdrawal_id: withdrawalId, customer_id: customerId, asset_id: asset, transaction_hash: hash } = suspect;
  const evidence = { transactionHash: hash, receipt, effects: suspect.effects };
  const withdrawal = { withdrawalId, customerId, asset };
  await deps.db.transaction((tx) => openContradiction({ db: tx }, { kind, about: hash, withdrawal, evidence }));
}

/** That the nonce of a transaction that stands in no block is spent in a final one; null where that is not proved. */
async function findReplacement(
  deps: { chain: ChainPort },
  sighting: TransactionSighting,
  finalNumber: number,
): Promise<string | null> {
  const { signed } = sighting;
  if (signed === null) return null;
  const spent = await deps.chain.spentNonces(signed.from, finalNumber);
  return spent > signed.nonce ? `nonce ${signed.nonce}` : null;
}
