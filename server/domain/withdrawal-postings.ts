import { invariant } from '#domain/invariant.ts';
import type { Leg } from '#domain/ledger-transfer.ts';

/** At acceptance: amount and fee leave what the customer can spend. */
export function holdLegs(input: { readonly totalMinor: bigint }): readonly Leg[] {
  return [leg('customer_available', 'customer_held', input.totalMinor)];
}

/** At completion: the amount has left custody, the fee is ours. Without a fee there is no second leg. */
export function postLegs(input: { readonly amountMinor: bigint; readonly feeMinor: bigint }): readonly Leg[] {
  const amount = leg('customer_held', 'custody_hot', input.amountMinor);
  return input.feeMinor === 0n ? [amount] : [amount, leg('customer_held', 'withdrawal_fees', input.feeMinor)];
}

/** At the proof that nothing was sent: everything held comes back, the fee included. */
export function voidLegs(input: { readonly totalMinor: bigint }): readonly Leg[] {
  return [leg('customer_held', 'customer_available', input.totalMinor)];
}

/** A transfer proved after the void: custody paid, the customer owes. No fee is taken for our own mistake. */
export function lateLegs(input: { readonly amountMinor: bigint }): readonly Leg[] {
  return [leg('customer_receivable', 'custody_hot', input.amountMinor)];
}

/** Coins that arrived, or that a customer brought along at the start: what custody holds is owed to the customer. */
export function creditLegs(input: { readonly amountMinor: bigint }): readonly Leg[] {
  return [leg('custody_hot', 'customer_available', input.amountMinor)];
}

function leg(debit: Leg['debit'], credit: Leg['credit'], amountMinor: bigint): Leg {
  invariant(amountMinor > 0n, 'a leg moves more than zero');
  return { debit, credit, amountMinor };
}
