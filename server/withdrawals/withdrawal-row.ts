import { invariant } from '#domain/invariant.ts';
import { fromMinorText } from '#domain/money.ts';
import { isRefusalCode, type RefusalCode } from '#domain/refusal.ts';
import {
  type CustomerId,
  type IdempotencyKey,
  toCustomerId,
  toIdempotencyKey,
  toWithdrawalId,
  WITHDRAWAL_STATUSES,
  type WithdrawalId,
  type WithdrawalStatus,
} from '#domain/withdrawal.ts';
import { FEE_MODES, type FeeMode } from '#domain/withdrawal-fee.ts';

/** A row of `withdrawals` as the driver gives it: `numeric` and `bigint` are text, times are `Date`. */
export interface WithdrawalRow {
  readonly id: string;
  readonly idempotency_key: string;
  readonly customer_id: string;
  readonly asset_id: string | null;
  readonly network_id: string | null;
  readonly address: string | null;
  readonly memo: string | null;
  readonly amount_minor: string | null;
  readonly fee_minor: string | null;
  readonly total_minor: string | null;
  readonly fee_mode: string | null;
  readonly look_alike_of: string | null;
  readonly status: string;
  readonly status_since: Date;
  readonly refusal_code: string | null;
  readonly failure_code: string | null;
  readonly fence: string;
  readonly revision: string;
  readonly next_action_at: Date | null;
  readonly wait_reason: string | null;
  readonly parked_at: Date | null;
  readonly parked_reason: string | null;
  readonly provider: string | null;
  readonly provider_account: string | null;
  readonly transfer_id: string | null;
  readonly transaction_hash: string | null;
  readonly confirmations: number;
  readonly confirmations_required: number | null;
  readonly completing_effect_id: string | null;
  readonly clicked_at: Date | null;
  readonly requested_at: Date;
  readonly submitted_at: Date | null;
  readonly broadcast_at: Date | null;
  readonly ended_at: Date | null;
  readonly updated_at: Date;
}

/** A withdrawal as our code holds it. A key that was given up names no money and is none: see `isGivenUp`. */
export interface Withdrawal {
  readonly withdrawalId: WithdrawalId;
  readonly idempotencyKey: IdempotencyKey;
  readonly customerId: CustomerId;
  readonly assetId: string;
  readonly networkId: string;
  /** In the canonical form of its network family. */
  readonly address: string;
  readonly memo: string | null;
  /** What arrives, and what custody is told to send. */
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  /** What is held: amount and fee. */
  readonly totalMinor: bigint;
  readonly feeMode: FeeMode;
  readonly lookAlikeOf: WithdrawalId | null;
  readonly status: WithdrawalStatus;
  readonly statusSince: Date;
  readonly refusalCode: RefusalCode | null;
  readonly failureCode: string | null;
  readonly fence: bigint;
  readonly revision: bigint;
  readonly nextActionAt: Date | null;
  readonly waitReason: string | null;
  readonly parkedAt: Date | null;
  readonly parkedReason: string | null;
  readonly provider: string | null;
  readonly providerAccount: string | null;
  readonly transferId: string | null;
  readonly transactionHash: string | null;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  readonly completingEffectId: bigint | null;
  readonly clickedAt: Date | null;
  readonly requestedAt: Date;
  readonly submittedAt: Date | null;
  readonly broadcastAt: Date | null;
  readonly endedAt: Date | null;
  readonly updatedAt: Date;
}

/** Whether the row only remembers that its key will not be used: it has no asset, address or amount. */
export function isGivenUp(row: Pick<WithdrawalRow, 'refusal_code'>): boolean {
  return row.refusal_code === 'given_up';
}

/** Reads a row, the only place where rows and the domain meet. @throws Error when the row was given up, or is damaged */
export function toWithdrawal(row: WithdrawalRow): Withdrawal {
  const { asset_id: assetId, network_id: networkId, address, confirmations_required: confirmationsRequired } = row;
  invariant(
    assetId !== null && networkId !== null && address !== null && confirmationsRequired !== null,
    'withdrawals_meaning_complete',
  );
  return {
    withdrawalId: toWithdrawalId(row.id),
    idempotencyKey: toIdempotencyKey(row.idempotency_key),
    customerId: toCustomerId(row.customer_id),
    assetId,
    networkId,
    address,
    memo: row.memo,
    amountMinor: toMinor(row.amount_minor),
    feeMinor: toMinor(row.fee_minor),
    totalMinor: toMinor(row.total_minor),
    feeMode: oneOf(FEE_MODES, row.fee_mode),
    lookAlikeOf: row.look_alike_of === null ? null : toWithdrawalId(row.look_alike_of),
    status: toStatus(row.status),
    statusSince: row.status_since,
    refusalCode: toRefusalCode(row.refusal_code),
    failureCode: row.failure_code,
    fence: BigInt(row.fence),
    revision: BigInt(row.revision),
    nextActionAt: row.next_action_at,
    waitReason: row.wait_reason,
    parkedAt: row.parked_at,
    parkedReason: row.parked_reason,
    provider: row.provider,
    providerAccount: row.provider_account,
    transferId: row.transfer_id,
    transactionHash: row.transaction_hash,
    confirmations: row.confirmations,
    confirmationsRequired,
    completingEffectId: row.completing_effect_id === null ? null : BigInt(row.completing_effect_id),
    clickedAt: row.clicked_at,
    requestedAt: row.requested_at,
    submittedAt: row.submitted_at,
    broadcastAt: row.broadcast_at,
    endedAt: row.ended_at,
    updatedAt: row.updated_at,
  };
}

/** Reads a status from a row. @throws Error when it is none of ours */
export function toStatus(text: string): WithdrawalStatus {
  return oneOf(WITHDRAWAL_STATUSES, text);
}

/** Reads minor units that a row must have. @throws Error when it has none */
export function toMinor(text: string | null): bigint {
  invariant(text !== null, 'the row has an amount');
  return fromMinorText(text);
}

function toRefusalCode(text: string | null): RefusalCode | null {
  if (text === null) return null;
  invariant(isRefusalCode(text), 'a stored refusal has one of our codes');
  return text;
}

function oneOf<Word extends string>(words: readonly Word[], text: string | null): Word {
  const word = words.find((candidate) => candidate === text);
  invariant(word !== undefined, `one of ${words.join(', ')}`);
  return word;
}
