import { z } from 'zod';
import type { ExpectedTransfer } from '#domain/custody-transfer.ts';
import { fromMinorText } from '#domain/money.ts';

/** The columns of a row that say what custody is to pay, as Postgres hands them out. */
export const paymentColumns = {
  idempotency_key: z.string(),
  asset_id: z.string(),
  network_id: z.string(),
  address: z.string(),
  memo: z.string().nullable(),
  amount_minor: z.string(),
  decimals: z.number(),
};

/** The transfer that this row stands for, under the reference that custody is asked for. */
export function toExpectedTransfer(row: z.infer<z.ZodObject<typeof paymentColumns>>): ExpectedTransfer {
  return {
    reference: row.idempotency_key,
    asset: row.asset_id,
    network: row.network_id,
    address: row.address,
    memo: row.memo,
    amountMinor: fromMinorText(row.amount_minor),
    decimals: row.decimals,
  };
}
