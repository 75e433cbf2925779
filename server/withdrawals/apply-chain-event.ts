import { paysWithdrawal } from '#domain/chain-confirmation.ts';
import { canonicalChainText } from '#domain/chain-text.ts';
import { fromMinorText } from '#domain/money.ts';
import type { Db } from '#server/db/database.ts';
import { takeFinalEffectSql } from '#server/sql/take-final-effect.sql.ts';
import { traceStep } from '#server/tracing.ts';
import { lockWithdrawal } from '#server/withdrawals/lock-withdrawal.ts';
import { openContradiction } from '#server/withdrawals/open-contradiction.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

interface FinalEffect {
  readonly id: string;
  readonly withdrawal_id: string;
  readonly transaction_hash: string;
  readonly contract: string | null;
  readonly to_address: string;
  readonly memo: string | null;
  readonly amount_minor: string;
  readonly expected_contract: string | null;
  readonly transaction_hashes: string[];
}

/**
 * Settles one effect that has become final, in the caller's transaction: it completes the withdrawal that it pays and posts the
 * hold. A second payment, or one after an end without payment, opens a case.
 */
export async function applyChainEvent(
  deps: { db: Db },
  input: { effectId: string; headNumber: number; confirmations: number },
): Promise<{ kind: 'completed' | 'same' | 'early' | 'contradiction' }> {
  const [effect] = await deps.db.query<FinalEffect>(takeFinalEffectSql, [input.effectId, input.headNumber]);
  if (effect === undefined) return { kind: 'same' };
  const row = await lockWithdrawal(deps, { withdrawalId: effect.withdrawal_id });
  if (row === null) return { kind: 'same' };
  const { withdrawalId, customerId, status, expected } = row;
  const pays = paysWithdrawal(
    {
      transactionHash: effect.transaction_hash,
      contract: effect.contract,
      to: effect.to_address,
      memo: effect.memo,
      amountMinor: fromMinorText(effect.amount_minor),
    },
    {
      transactionHashes: effect.transaction_hashes,
      contract: effect.expected_contract,
      address: canonicalChainText(expected.address),
      memo: expected.memo,
      amountMinor: expected.amountMinor,
    },
  );
  if (!pays) return { kind: 'same' };

  traceStep('withdrawal.chain', withdrawalId, {
    attributes: { 'transaction.hash': effect.transaction_hash, 'block.number': input.headNumber },
  });
  const withdrawal = { withdrawalId, customerId, asset: expected.asset };
  const evidence = { effectId: effect.id, transactionHash: effect.transaction_hash, status };
  if (status === 'submitted' || status === 'broadcast') {
    const effectId = BigInt(effect.id);
    const { confirmations } = input;
    await recordTransition(deps, {
      kind: 'completed',
      withdrawalId,
      fromStatus: status,
      effectId,
      confirmations,
      evidence,
    });
    return { kind: 'completed' };
  }
  if (status === 'completed') {
    // Read under the lock: of two indexers the slower one waited for the effect and still sees the row from before.
    if (row.completingEffectId === effect.id) return { kind: 'same' };
    await openContradiction(deps, { kind: 'paid_twice', about: effect.id, withdrawal, evidence });
    return { kind: 'contradiction' };
  }
  // The hash was named by custody, so the row will hear of its transfer; until then the effect waits.
  if (status === 'dispatching' || status === 'in_doubt' || status === 'queued' || status === 'awaiting_approval') {
    return { kind: 'early' };
  }
  await openContradiction(deps, { kind: 'payment_after_end', about: effect.id, withdrawal, evidence });
  return { kind: 'contradiction' };
}
