import { type Refusal, refuse } from '#domain/refusal.ts';

/** Who pays the fee: the balance beside the amount (`on_top`), or the amount itself (`from_amount`). */
export const FEE_MODES = ['on_top', 'from_amount'] as const;
export type FeeMode = (typeof FEE_MODES)[number];

export interface AppliedFee {
  /** What arrives at the address, and what custody is told to send. */
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  /** What is held: always `amountMinor + feeMinor`. */
  readonly totalMinor: bigint;
}

/**
 * Splits what was asked for into what arrives and what is held.
 *
 * @returns the split, or `amount_not_positive`, or `amount_below_fee` when the fee would eat the amount whole
 */
export function applyFee(input: {
  readonly requestedMinor: bigint;
  readonly feeMinor: bigint;
  readonly feeMode: FeeMode;
}): { readonly kind: 'ok'; readonly fee: AppliedFee } | { readonly kind: 'refused'; readonly refusal: Refusal } {
  const { requestedMinor, feeMinor, feeMode } = input;
  if (requestedMinor <= 0n) return { kind: 'refused', refusal: refuse('amount_not_positive') };
  if (feeMode === 'on_top') {
    return { kind: 'ok', fee: { amountMinor: requestedMinor, feeMinor, totalMinor: requestedMinor + feeMinor } };
  }
  if (requestedMinor <= feeMinor) return { kind: 'refused', refusal: refuse('amount_below_fee') };
  return { kind: 'ok', fee: { amountMinor: requestedMinor - feeMinor, feeMinor, totalMinor: requestedMinor } };
}

/** The largest amount that can be asked for: held whole, it leaves exactly zero. Zero where the fee cannot be paid. */
export function maximumRequest(input: {
  readonly availableMinor: bigint;
  readonly feeMinor: bigint;
  readonly feeMode: FeeMode;
}): bigint {
  const { availableMinor, feeMinor, feeMode } = input;
  if (availableMinor <= feeMinor) return 0n;
  return feeMode === 'on_top' ? availableMinor - feeMinor : availableMinor;
}

/** What was asked for, read back from a stored row: the form in which two requests under one key are compared. */
export function requestedMinorOf(row: {
  readonly amountMinor: bigint;
  readonly totalMinor: bigint;
  readonly feeMode: FeeMode;
}): bigint {
  return row.feeMode === 'on_top' ? row.amountMinor : row.totalMinor;
}
