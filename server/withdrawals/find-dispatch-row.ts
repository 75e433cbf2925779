import { z } from 'zod';
import type { SendAttempt } from '#domain/custody-evidence.ts';
import type { ExpectedTransfer } from '#domain/custody-transfer.ts';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db } from '#server/db/database.ts';
import { findDispatchRowSql } from '#server/sql/find-dispatch-row.sql.ts';
import { paymentColumns, toExpectedTransfer } from '#server/withdrawals/payment-row.ts';

/** One attempt as the rules read it, with what only the resolver looks at. */
export interface RecordedSend extends SendAttempt {
  readonly lateOutcome: string | null;
  readonly transferId: string | null;
  /** Custody's own word for why it refused or put off. */
  readonly code: string | null;
}

/** Bytes that were made for an earlier send of this row, to be repeated as they are. */
export interface StoredBytes {
  readonly body: Buffer;
  readonly bodySha256: string;
  readonly notAfter: Date;
}

export interface DispatchRow {
  readonly withdrawalId: string;
  readonly customerId: string;
  readonly status: WithdrawalStatus;
  readonly fence: bigint;
  readonly expected: ExpectedTransfer;
  readonly provider: string | null;
  readonly account: string | null;
  readonly transferId: string | null;
  readonly transactions: number;
  readonly parked: boolean;
  readonly lookUpOnly: boolean;
  readonly stopReason: string | null;
  readonly eventsWaiting: number;
  readonly due: boolean;
  /** The database's clock when the row was read. */
  readonly now: Date;
  readonly statusSince: Date;
  readonly requestedAt: Date;
  /** Nobody ever approved what needs approval, so it may not come out of doubt into the queue. */
  readonly lacksApprovals: boolean;
  readonly sends: readonly RecordedSend[];
  /** Look-ups of the present spell of doubt that told us nothing, for the backoff. */
  readonly lookUps: number;
  readonly lastBytes: StoredBytes | null;
}

const attemptsSchema = z.array(
  z.object({
    number: z.number(),
    kind: z.enum(['send', 'look_up']),
    provider: z.string(),
    account: z.string(),
    startedAtMs: z.number(),
    notAfterMs: z.number().nullable(),
    outcome: z.string().nullable(),
    lateOutcome: z.string().nullable(),
    transferId: z.string().nullable(),
    reason: z.string().nullable(),
    code: z.string().nullable(),
    provedAbsent: z.boolean(),
  }),
);

const rowSchema = z.object({
  ...paymentColumns,
  id: z.string(),
  customer_id: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  fence: z.string(),
  provider: z.string().nullable(),
  provider_account: z.string().nullable(),
  transfer_id: z.string().nullable(),
  transactions: z.number(),
  parked: z.boolean(),
  look_up_only: z.boolean(),
  stop_reason: z.string().nullable(),
  events_waiting: z.number(),
  due: z.boolean(),
  now: z.date(),
  status_since: z.date(),
  requested_at: z.date(),
  lacks_approvals: z.boolean(),
  attempts: attemptsSchema,
  last_body: z.instanceof(Buffer).nullable(),
  last_body_sha256: z.string().nullable(),
  last_not_after: z.date().nullable(),
});

/** Reads what a worker must know before it decides; null when there is no such withdrawal with money attached. */
export async function findDispatchRow(deps: { db: Db }, input: { withdrawalId: string }): Promise<DispatchRow | null> {
  const [found] = await deps.db.query<object>(findDispatchRowSql, [input.withdrawalId]);
  if (found === undefined) return null;
  const row = rowSchema.parse(found);
  const { last_body: body, last_body_sha256: bodySha256, last_not_after: notAfter } = row;
  return {
    withdrawalId: row.id,
    customerId: row.customer_id,
    status: row.status,
    fence: BigInt(row.fence),
    expected: toExpectedTransfer(row),
    provider: row.provider,
    account: row.provider_account,
    transferId: row.transfer_id,
    transactions: row.transactions,
    parked: row.parked,
    lookUpOnly: row.look_up_only,
    stopReason: row.stop_reason,
    eventsWaiting: row.events_waiting,
    due: row.due,
    now: row.now,
    statusSince: row.status_since,
    requestedAt: row.requested_at,
    lacksApprovals: row.lacks_approvals,
    sends: row.attempts.filter((attempt) => attempt.kind === 'send').map(toSend),
    lookUps: row.attempts.filter((attempt) => attempt.kind === 'look_up').length,
    lastBytes: body === null || bodySha256 === null || notAfter === null ? null : { body, bodySha256, notAfter },
  };
}

const OUTCOMES = ['accepted', 'refused', 'not_sent', 'later', 'in_doubt'] as const;

/** The recorded outcome of a send; null where none was recorded, which reads as in doubt. */
export function readSendOutcome(text: string | null): SendAttempt['outcome'] {
  return OUTCOMES.find((outcome) => outcome === text) ?? null;
}

function toSend(attempt: z.infer<typeof attemptsSchema>[number]): RecordedSend {
  return { ...attempt, outcome: readSendOutcome(attempt.outcome) };
}
