import { countsAsTry } from '#domain/custody-evidence.ts';
import type { ExpectedTransfer } from '#domain/custody-transfer.ts';
import { formatAmount } from '#domain/money.ts';
import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Db } from '#server/db/database.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { parkWithdrawalSql } from '#server/sql/park-withdrawal.sql.ts';
import { postponeWithdrawalSql } from '#server/sql/postpone-withdrawal.sql.ts';
import { type DispatchRow, findDispatchRow, type StoredBytes } from '#server/withdrawals/find-dispatch-row.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

/** A send that is written down and not yet made. Only its holder may make it, once. */
export interface ClaimedSend extends StoredBytes {
  readonly withdrawalId: string;
  readonly fence: bigint;
  readonly attempt: number;
  readonly expected: ExpectedTransfer;
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly send: ClaimedSend }
  /** An answer is missing: look it up, never send. */
  | { readonly kind: 'resolve' }
  /** Custody has it: ask how far it is. */
  | { readonly kind: 'poll' }
  /** It is not this row's time, or it has to wait for the reason that the row now shows. */
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'nothing_to_do'; readonly status: string };

/** Sends of one withdrawal that may have reached custody, at most: each needed a look-up before the next, so more is a pattern for people. */
export const SEND_ATTEMPTS_MAX = 5;

/**
 * Takes a queued row for one send: the intent with its exact bytes is committed when this returns `claimed`. Everything that
 * may forbid the send is read in the claiming statement itself; this verb only says why, when it was forbidden.
 */
export async function claimWithdrawal(
  deps: { db: Db; custody: CustodyPort; times: ProtocolTimes },
  input: { withdrawalId: string },
): Promise<ClaimResult> {
  const row = await findDispatchRow(deps, input);
  if (row === null) return { kind: 'nothing_to_do', status: 'unknown' };
  if (row.status === 'dispatching' || row.status === 'in_doubt') return { kind: 'resolve' };
  if (row.status === 'submitted' || row.status === 'broadcast') return { kind: 'poll' };
  if (row.status !== 'queued') return { kind: 'nothing_to_do', status: row.status };
  if (!row.due) return { kind: 'waiting', reason: 'not_due' };
  const refusal = await explainRefusal(deps, row);
  if (refusal !== null) return { kind: 'waiting', reason: refusal };

  const bytes = repeatableBytes(row, deps.times) ?? writeBytes(row, deps);
  const moved = await recordTransition(deps, {
    kind: 'claim',
    withdrawalId: row.withdrawalId,
    fromStatus: 'queued',
    fence: row.fence,
    site: deps.custody.site,
    ...bytes,
    answerWithinMs: deps.times.jobLockMs,
    attemptsMax: SEND_ATTEMPTS_MAX,
  });
  if (moved.kind === 'moved' && moved.attempt !== null) {
    const { withdrawalId, expected } = row;
    return { kind: 'claimed', send: { withdrawalId, expected, fence: moved.fence, attempt: moved.attempt, ...bytes } };
  }
  // Somebody was faster, or something forbade it between the two statements: the row says which.
  const after = await findDispatchRow(deps, input);
  if (after === null || after.status !== 'queued') return { kind: 'waiting', reason: 'taken_by_another' };
  return { kind: 'waiting', reason: (await explainRefusal(deps, after)) ?? 'changed_meanwhile' };
}

/** Why nothing may be sent for this row now, written into the row; null when nothing stands against it. */
async function explainRefusal(deps: { db: Db; custody: CustodyPort; times: ProtocolTimes }, row: DispatchRow) {
  const { withdrawalId, status, fence, stopReason } = row;
  if (stopReason !== null) {
    // Seldom, because whoever lifts the stop wakes the rows that waited for it.
    const waitMs = row.parked ? deps.times.parkedLookUpMs : deps.times.backoffMaxMs;
    await deps.db.query(postponeWithdrawalSql, [withdrawalId, status, fence.toString(), waitMs, stopReason]);
    return stopReason;
  }
  const review = findReviewReason(deps, row);
  if (review === null) return null;
  const values = [withdrawalId, status, fence.toString(), review, deps.times.parkedLookUpMs];
  await deps.db.query(parkWithdrawalSql, values);
  return review;
}

function findReviewReason(deps: { custody: CustodyPort }, row: DispatchRow): string | null {
  const { provider, account } = deps.custody.site;
  if (row.provider !== null && (row.provider !== provider || row.account !== account)) return 'other_site';
  return row.sends.filter(countsAsTry).length >= SEND_ATTEMPTS_MAX ? 'attempts_exhausted' : null;
}

/**
 * A send that made nothing is repeated with the same bytes, because custody may remember the key's body all the same. Not
 * beyond the point where the not-after could pass while the request is under way.
 */
function repeatableBytes(row: DispatchRow, times: ProtocolTimes): StoredBytes | null {
  const { lastBytes, now } = row;
  if (lastBytes === null || lastBytes.notAfter.getTime() - now.getTime() <= times.custodyTimeoutMs) return null;
  return lastBytes;
}

function writeBytes(row: DispatchRow, deps: { custody: CustodyPort; times: ProtocolTimes }): StoredBytes {
  const { reference, asset, network, address, memo, amountMinor, decimals } = row.expected;
  const notAfter = new Date(row.now.getTime() + deps.times.notAfterMs);
  const amount = formatAmount(amountMinor, decimals);
  return { ...deps.custody.writeRequest({ reference, asset, network, address, memo, amount, notAfter }), notAfter };
}
