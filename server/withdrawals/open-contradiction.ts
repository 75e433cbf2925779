import type { ReviewReason } from '#domain/resend-rule.ts';
import type { Db } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import { openCaseSql } from '#server/sql/open-case.sql.ts';
import type { Evidence } from '#server/withdrawals/record-transition.ts';

export type ContradictionKind =
  | 'transfer_differs'
  | 'two_transfers'
  | 'transfer_after_end'
  | 'failure_after_completion'
  // Custody shows a transfer after its own look-ups proved that there is none, or moves one that it had failed for good.
  | 'absence_contradicted'
  | 'failure_contradicted'
  // Custody does not show a transfer any more that it had accepted. Closed by two people, that one is asked for no more.
  | 'control_not_found'
  | 'payment_after_end'
  | 'paid_twice'
  | 'transfer_unknown_here'
  | 'payment_unknown_here'
  // The chain shows custody's transaction, final, and it failed or paid something else.
  | 'payment_reverted'
  | 'paid_otherwise'
  // Where the resend rule sends a row to people with an alarm.
  | ReviewReason;

/** What stops beside the case itself: the asset where the provider may pay twice or wrongly, else the customer's payouts. */
const PAUSES_ASSET: ReadonlySet<ContradictionKind> = new Set([
  'transfer_differs',
  'two_transfers',
  'paid_twice',
  'paid_otherwise',
]);

/** Coins left after the hold was given back: booked once as late, in the transaction that opens the case. */
const BOOKS_LATE: ReadonlySet<ContradictionKind> = new Set(['transfer_after_end', 'payment_after_end']);

/**
 * Opens a case for two facts that cannot both be true, once for each pair, in the caller's transaction. The row's status never
 * turns round; people decide.
 */
export async function openContradiction(
  deps: { db: Db },
  input: {
    readonly kind: ContradictionKind;
    /** What makes this contradiction this one, beside its kind. */
    readonly about: string;
    readonly withdrawal: { readonly withdrawalId: string; readonly customerId: string; readonly asset: string } | null;
    readonly evidence: Evidence;
  },
): Promise<{ opened: boolean }> {
  const { kind, withdrawal } = input;
  const opened = await deps.db.query(openCaseSql, [
    kind,
    `${kind}:${withdrawal?.withdrawalId ?? ''}:${input.about}`,
    withdrawal?.withdrawalId ?? null,
    withdrawal?.customerId ?? null,
    input.evidence,
    PAUSES_ASSET.has(kind) ? (withdrawal?.asset ?? null) : null,
    BOOKS_LATE.has(kind),
  ]);
  if (opened.length > 0) {
    const fields = { kind, withdrawalId: withdrawal?.withdrawalId, about: input.about };
    logger().error('case.opened', new Error(`contradiction: ${kind}`), fields);
  }
  return { opened: opened.length > 0 };
}
