import type { AccountKind } from '#domain/ledger-account.ts';
import { sumMinor } from '#domain/money.ts';

export const LEDGER_TRANSFER_KINDS = ['opening', 'deposit', 'hold', 'post', 'void', 'late', 'adjustment'] as const;

export type LedgerTransferKind = (typeof LEDGER_TRANSFER_KINDS)[number];

/** Moves an amount, always above zero, from the account that is debited to the account that is credited. */
export interface Leg {
  readonly debit: AccountKind;
  readonly credit: AccountKind;
  readonly amountMinor: bigint;
}

/** One line of the book: a debit is below zero, a credit above. */
export interface LedgerEntry {
  readonly account: AccountKind;
  readonly amountMinor: bigint;
}

/** The entries of the legs. They sum to zero, because each leg does. */
export function entriesOf(legs: readonly Leg[]): readonly LedgerEntry[] {
  return legs.flatMap((leg) => [
    { account: leg.debit, amountMinor: -leg.amountMinor },
    { account: leg.credit, amountMinor: leg.amountMinor },
  ]);
}

/** Credits less debits of one account over these entries. */
export function balanceOf(entries: readonly LedgerEntry[], account: AccountKind): bigint {
  return sumMinor(entries.filter((entry) => entry.account === account).map((entry) => entry.amountMinor));
}

/**
 * What must not stand in the book for the same withdrawal: each kind once, and a hold ends by post or by void, never both.
 * A payment proved after a void is `late`, which only a void leaves room for.
 */
export function mayBook(kind: LedgerTransferKind, booked: readonly LedgerTransferKind[]): boolean {
  if (booked.includes(kind)) return false;
  if (kind === 'hold') return booked.length === 0;
  if (kind === 'post' || kind === 'void') {
    return booked.includes('hold') && !booked.includes('post') && !booked.includes('void');
  }
  if (kind === 'late') return booked.includes('void');
  return true;
}
