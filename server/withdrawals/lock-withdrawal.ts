import { z } from 'zod';
import type { SendAttempt } from '#domain/custody-evidence.ts';
import type { ExpectedTransfer } from '#domain/custody-transfer.ts';
import { WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db } from '#server/db/database.ts';
import { lockWithdrawalSql } from '#server/sql/lock-withdrawal.sql.ts';
import { readSendOutcome } from '#server/withdrawals/find-dispatch-row.ts';
import { paymentColumns, toExpectedTransfer } from '#server/withdrawals/payment-row.ts';

/** A locked row as facts are compared with it. */
export interface LockedWithdrawal {
  readonly withdrawalId: string;
  readonly customerId: string;
  readonly status: WithdrawalStatus;
  readonly fence: bigint;
  readonly transferId: string | null;
  readonly completingEffectId: string | null;
  readonly expected: ExpectedTransfer;
  /** Sends of which a look-up of custody's proved that they made nothing. */
  readonly absentSends: readonly AbsentSend[];
}

export interface AbsentSend extends Pick<SendAttempt, 'outcome' | 'notAfterMs'> {
  readonly attempt: number;
  readonly provedAbsentAt: string;
}

const rowSchema = z.object({
  ...paymentColumns,
  id: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  fence: z.string(),
  customer_id: z.string(),
  transfer_id: z.string().nullable(),
  completing_effect_id: z.string().nullable(),
  absent_sends: z.array(
    z.object({
      attempt: z.number(),
      outcome: z.string().nullable(),
      provedAbsentAt: z.string(),
      notAfterMs: z.number().nullable(),
    }),
  ),
});

/** Locks a row, by its id or by the reference under which custody knows it; null when there is none. */
export async function lockWithdrawal(
  deps: { db: Db },
  input: { withdrawalId: string } | { reference: string },
): Promise<LockedWithdrawal | null> {
  const values = 'withdrawalId' in input ? [input.withdrawalId, null] : [null, input.reference];
  const [found] = await deps.db.query<object>(lockWithdrawalSql, values);
  if (found === undefined) return null;
  const row = rowSchema.parse(found);
  return {
    withdrawalId: row.id,
    customerId: row.customer_id,
    status: row.status,
    fence: BigInt(row.fence),
    transferId: row.transfer_id,
    completingEffectId: row.completing_effect_id,
    expected: toExpectedTransfer(row),
    absentSends: row.absent_sends.map((send) => ({ ...send, outcome: readSendOutcome(send.outcome) })),
  };
}
