import { canonicalChainText } from '#domain/chain-text.ts';
import type { CustodySite } from '#domain/custody-evidence.ts';
import { differingFields } from '#domain/custody-transfer.ts';
import { isUuidText } from '#domain/withdrawal.ts';
import type { CustodyTransfer } from '#server/custody/custody-port.ts';
import type { Db } from '#server/db/database.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { keepTransactionsSql } from '#server/sql/keep-transactions.sql.ts';
import { parkWithdrawalSql } from '#server/sql/park-withdrawal.sql.ts';
import { wakeWithdrawalSql } from '#server/sql/wake-withdrawal.sql.ts';
import { applyTransferProof } from '#server/withdrawals/apply-transfer-proof.ts';
import { type LockedWithdrawal, lockWithdrawal } from '#server/withdrawals/lock-withdrawal.ts';
import { openContradiction } from '#server/withdrawals/open-contradiction.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

export interface CustodyFact {
  readonly transfer: CustodyTransfer;
  readonly site: CustodySite;
  /** A look-up was asked by us, just now; an event may be old, early or somebody's replay. */
  readonly source: 'webhook' | 'look_up';
  /** The event's id, or the attempt of the look-up. */
  readonly sourceId: string;
  /** The attempt of the look-up that found it, kept with its outcome. */
  readonly attempt: number | null;
}

export type CustodyFactResult =
  | { readonly kind: 'applied'; readonly status: string }
  | { readonly kind: 'same' }
  /** No row of ours has this reference (yet). */
  | { readonly kind: 'unknown_reference' }
  /** A case is open; the row did not turn round. */
  | { readonly kind: 'contradiction'; readonly reason: string };

/**
 * Applies what custody says about a transfer, in the caller's transaction. The status follows from the evidence and never goes
 * back, so order and repetition make no difference. Amounts are compared, never taken over.
 */
export async function applyCustodyEvent(
  deps: { db: Db; times: ProtocolTimes },
  fact: CustodyFact,
): Promise<CustodyFactResult> {
  const { transfer } = fact;
  const row = isUuidText(transfer.externalId) ? await lockWithdrawal(deps, { reference: transfer.externalId }) : null;
  if (row === null) return { kind: 'unknown_reference' };
  const fields = differingFields(row.expected, transfer);
  if (fields.length > 0) return await refuseDiffering(deps, row, fact, fields.join(' '));
  // A refusal that custody keeps is no transfer. What it means is decided by the resolver's own look-up.
  if (transfer.status === 'refused') return await noteRefusal(deps, row, fact);

  const evidence = { source: fact.source, sourceId: fact.sourceId, transferStatus: transfer.status };
  const before = row.status;
  const proof = await applyTransferProof(deps, {
    withdrawalId: row.withdrawalId,
    transferId: transfer.id,
    createdAtMs: transfer.createdAtMs,
    attempt: fact.attempt === null ? null : { number: fact.attempt, outcome: 'found' },
    site: fact.site,
    pollMs: deps.times.pollFirstMs,
    actor: fact.source === 'webhook' ? 'custody' : 'resolver',
    reason: fact.source === 'webhook' ? `event_${transfer.status}` : 'found',
    evidence,
  });
  await keepTransactions(deps, row, fact);
  if (proof.kind === 'contradiction') return { kind: 'contradiction', reason: 'transfer' };
  const after = await advance(deps, { ...row, status: proof.status }, fact, evidence);
  if (after.kind === 'applied' || proof.status === before) return after;
  return { kind: 'applied', status: proof.status };
}

async function keepTransactions(deps: { db: Db }, row: LockedWithdrawal, fact: CustodyFact) {
  const { transactions } = fact.transfer;
  if (transactions.length === 0) return;
  await deps.db.query(keepTransactionsSql, [
    row.withdrawalId,
    transactions.map((transaction) => canonicalChainText(transaction.hash)),
    transactions.map((transaction) => transaction.nonce?.toString() ?? null),
    fact.source,
  ]);
}

async function advance(
  deps: { db: Db; times: ProtocolTimes },
  row: LockedWithdrawal,
  fact: CustodyFact,
  evidence: Readonly<Record<string, unknown>>,
): Promise<CustodyFactResult> {
  const { transfer } = fact;
  const { withdrawalId, status } = row;
  if (transfer.status === 'failed') return await applyFailure(deps, row, fact, evidence);
  if (status === 'failed' && fact.source === 'look_up') return await contradictFailure(deps, row, fact, evidence);
  const onTheNetwork = transfer.status === 'broadcast' || transfer.status === 'confirmed';
  const hash = newestHash(transfer);
  if (!onTheNetwork || status !== 'submitted' || hash === null) return { kind: 'same' };
  const moved = await recordTransition(deps, {
    kind: 'broadcast',
    withdrawalId,
    transactionHash: hash,
    pollMs: deps.times.pollFirstMs,
    actor: fact.source === 'webhook' ? 'custody' : 'resolver',
    reason: `custody_${transfer.status}`,
    evidence,
  });
  return moved.kind === 'moved' ? { kind: 'applied', status: moved.status } : { kind: 'same' };
}

/** Custody's failure ends a row only from a look-up, when it is final and no transaction of it is alive. */
async function applyFailure(
  deps: { db: Db; times: ProtocolTimes },
  row: LockedWithdrawal,
  fact: CustodyFact,
  evidence: Readonly<Record<string, unknown>>,
): Promise<CustodyFactResult> {
  const { transfer } = fact;
  const { withdrawalId, customerId, status, expected } = row;
  if (status === 'completed' && transfer.final) {
    const withdrawal = { withdrawalId, customerId, asset: expected.asset };
    await openContradiction(deps, { kind: 'failure_after_completion', about: transfer.id, withdrawal, evidence });
    return { kind: 'contradiction', reason: 'failure_after_completion' };
  }
  if (status !== 'submitted' && status !== 'broadcast') return { kind: 'same' };
  if (fact.source === 'webhook' || !transfer.final) {
    await deps.db.query(wakeWithdrawalSql, [withdrawalId]);
    return { kind: 'same' };
  }
  const code = transfer.failureCode ?? 'custody_failed';
  const moved = await recordTransition(deps, { kind: 'failed', withdrawalId, fromStatus: status, code, evidence });
  return moved.kind === 'moved' ? { kind: 'applied', status: moved.status } : { kind: 'same' };
}

/** What ended by custody's final failure is alive again. Should it pay, the indexer books it as late; nothing is booked on a word. */
async function contradictFailure(
  deps: { db: Db },
  row: LockedWithdrawal,
  fact: CustodyFact,
  evidence: Readonly<Record<string, unknown>>,
): Promise<CustodyFactResult> {
  const { withdrawalId, customerId, expected } = row;
  const withdrawal = { withdrawalId, customerId, asset: expected.asset };
  await openContradiction(deps, { kind: 'failure_contradicted', about: fact.transfer.id, withdrawal, evidence });
  return { kind: 'contradiction', reason: 'failure_contradicted' };
}

async function noteRefusal(deps: { db: Db }, row: LockedWithdrawal, fact: CustodyFact): Promise<CustodyFactResult> {
  if (row.transferId !== null) {
    const { withdrawalId, customerId, expected } = row;
    const evidence = { sourceId: fact.sourceId, transferId: row.transferId, refusedId: fact.transfer.id };
    const withdrawal = { withdrawalId, customerId, asset: expected.asset };
    await openContradiction(deps, { kind: 'two_transfers', about: fact.transfer.id, withdrawal, evidence });
    return { kind: 'contradiction', reason: 'refused_after_transfer' };
  }
  await deps.db.query(wakeWithdrawalSql, [row.withdrawalId]);
  return { kind: 'same' };
}

async function refuseDiffering(
  deps: { db: Db; times: ProtocolTimes },
  row: LockedWithdrawal,
  fact: CustodyFact,
  fields: string,
): Promise<CustodyFactResult> {
  const { withdrawalId, customerId, status, fence, expected } = row;
  const evidence = { sourceId: fact.sourceId, transferId: fact.transfer.id, fields };
  const withdrawal = { withdrawalId, customerId, asset: expected.asset };
  await openContradiction(deps, { kind: 'transfer_differs', about: fact.transfer.id, withdrawal, evidence });
  if (status === 'queued' || status === 'dispatching' || status === 'in_doubt' || status === 'awaiting_approval') {
    const values = [withdrawalId, status, fence.toString(), 'transfer_differs', deps.times.parkedLookUpMs];
    await deps.db.query(parkWithdrawalSql, values);
  }
  return { kind: 'contradiction', reason: `transfer_differs ${fields}` };
}

function newestHash(transfer: CustodyTransfer): string | null {
  const alive = transfer.transactions.filter((one) => one.status !== 'replaced' && one.status !== 'failed');
  const newest = alive.at(-1) ?? transfer.transactions.at(-1);
  return newest === undefined ? null : canonicalChainText(newest.hash);
}
