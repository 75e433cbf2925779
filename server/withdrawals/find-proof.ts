import { formatAmount } from '#domain/money.ts';
import { requestedMinorOf } from '#domain/withdrawal-fee.ts';
import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Db } from '#server/db/database.ts';
import type { SeenWithdrawal } from '#server/withdrawals/answer-known-key.ts';
import type { AssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import { detailText, findEvidence } from '#server/withdrawals/find-evidence.ts';
import { findTerms } from '#server/withdrawals/withdrawal-view.ts';

export interface Proof {
  key: string;
  asked: { asset: string; network: string; address: string; memo: string | null; amount: string; feeMode: string };
  attempts: {
    attempt: number;
    kind: 'send' | 'look_up';
    sentAt: string | null;
    bodySha256: string | null;
    outcome: string | null;
    detail: string | null;
  }[];
  events: { id: string; type: string; receivedAt: string; applied: boolean; reason: string | null }[];
  /** Custody's own list for the key; null where it could not be asked. */
  custody: ShownCustodyTransfer[] | null;
}

export interface ShownCustodyTransfer {
  transferId: string;
  reference: string;
  status: string;
  transactions: string[];
}

/** Why a withdrawal was sent only once, in a form that anybody can check against custody's list. */
export async function findProof(
  deps: { db: Db; custody: Pick<CustodyPort, 'findByReference'> | null },
  input: { seen: SeenWithdrawal; catalogue: AssetCatalogue },
): Promise<Proof> {
  const { withdrawal } = input.seen;
  const [evidence, custody] = await Promise.all([
    findEvidence(deps, { withdrawalId: withdrawal.withdrawalId }),
    askCustody(deps, { reference: withdrawal.idempotencyKey }),
  ]);
  const { decimals } = findTerms(withdrawal, input.catalogue);
  return {
    key: withdrawal.idempotencyKey,
    asked: {
      asset: withdrawal.assetId,
      network: withdrawal.networkId,
      address: withdrawal.address,
      memo: withdrawal.memo,
      amount: formatAmount(requestedMinorOf(withdrawal), decimals),
      feeMode: withdrawal.feeMode,
    },
    attempts: evidence.attempts.map((attempt) => ({
      attempt: attempt.attempt,
      kind: attempt.kind,
      sentAt: attempt.startedAt.toISOString(),
      bodySha256: attempt.bodySha256,
      outcome: attempt.outcome,
      detail: detailText(attempt.detail),
    })),
    events: evidence.events.map((event) => ({
      id: event.id,
      type: event.type,
      receivedAt: event.receivedAt.toISOString(),
      applied: event.appliedAt !== null && event.outcome === 'applied',
      reason: event.reason ?? (event.outcome === 'applied' ? null : event.outcome),
    })),
    custody,
  };
}

/** Custody's list under a reference; null when it does not answer, which proves nothing. */
export async function askCustody(
  deps: { custody: Pick<CustodyPort, 'findByReference'> | null },
  input: { reference: string },
): Promise<ShownCustodyTransfer[] | null> {
  const lookUp = await deps.custody?.findByReference(input.reference);
  if (lookUp === undefined || lookUp.kind === 'failed') return null;
  if (lookUp.kind === 'not_found') return [];
  return lookUp.transfers.map((transfer) => ({
    transferId: transfer.id,
    reference: transfer.externalId,
    status: transfer.status,
    transactions: transfer.transactions.map((transaction) => transaction.hash),
  }));
}
