import type { DestinationFacts } from '#domain/withdrawal-policy.ts';

/** A new entry waits a day before its first use, so that a thief's entry is noticed before it pays. */
export const ADDRESS_HOLD_MS = 86_400_000;

/** Switching the protection off takes as long as the hold does, or it would protect from nothing. */
export const ALLOW_LIST_OFF_DELAY_MS = 86_400_000;

/** Withdrawals rest for a day after a password or second factor was changed. */
export const SECURITY_FREEZE_MS = 86_400_000;

export interface AddressBookEntry {
  readonly networkId: string;
  /** In canonical form. */
  readonly address: string;
  /** Null where the entry has none, which is a destination of its own. */
  readonly memo: string | null;
  /** When it was added, by the database's clock, in milliseconds since 1970. */
  readonly addedAtMs: number;
}

/** "Only my address book": on, off, or asked to be off at an instant after which the delay runs. */
export type AllowListMode =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly offRequestedAtMs: number | null };

/** When an entry may be used for the first time, in milliseconds since 1970. */
export function usableFromMs(entry: AddressBookEntry): number {
  return entry.addedAtMs + ADDRESS_HOLD_MS;
}

/** Whether only entries of the book may be paid at this instant. */
export function allowListApplies(mode: AllowListMode, nowMs: number): boolean {
  if (mode.kind === 'off') return false;
  return mode.offRequestedAtMs === null || nowMs < mode.offRequestedAtMs + ALLOW_LIST_OFF_DELAY_MS;
}

/** What the address book says about a destination: network, canonical address and memo together. */
export function bookVerdict(
  destination: Pick<AddressBookEntry, 'networkId' | 'address' | 'memo'>,
  entries: readonly AddressBookEntry[],
  mode: AllowListMode,
  nowMs: number,
): DestinationFacts['book'] {
  const entry = entries.find(
    (one) =>
      one.networkId === destination.networkId && one.address === destination.address && one.memo === destination.memo,
  );
  if (entry === undefined) return allowListApplies(mode, nowMs) ? 'not_allowed' : 'unlisted';
  return nowMs < usableFromMs(entry) ? 'on_hold' : 'usable';
}

/** Until when a change of password or second factor freezes withdrawals; null where nothing was changed. */
export function frozenUntilMs(securityChangedAtMs: number | null): number | null {
  return securityChangedAtMs === null ? null : securityChangedAtMs + SECURITY_FREEZE_MS;
}
