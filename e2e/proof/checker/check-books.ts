import type { LedgerFacts } from './facts.ts';
import type { Violation } from './violation.ts';

/** What the entries alone say against the books; nothing when they are right. */
export function checkBooks(ledger: LedgerFacts): Violation[] {
  const broken = (what: string, ids: readonly string[]) =>
    ids.map((id): Violation => ({ promise: 'the books are right', about: id, detail: what }));
  const differing = Object.entries(ledger.differenceByAsset).filter(([, difference]) => difference !== '0');
  return [
    ...broken('a hold ended twice', ledger.doubled),
    ...broken('bookings do not fit the status', ledger.misfit),
    ...broken('a balance was below zero', ledger.everNegative),
    ...broken('a balance is not the sum of its entries', ledger.drifted),
    ...differing.map(
      ([asset, difference]): Violation => ({
        promise: 'the books are right',
        about: asset,
        detail: `sum ${difference}`,
      }),
    ),
  ];
}
