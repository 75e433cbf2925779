import { z } from 'zod';
import { fromMinorText } from '#domain/money.ts';
import type { OurTransfer } from '#domain/reconciliation.ts';
import { isUuidText, WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db, Statement } from '#server/db/database.ts';
import { readSendOutcome } from '#server/withdrawals/find-dispatch-row.ts';

const rowSchema = z.object({
  id: z.string(),
  idempotency_key: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  asset_id: z.string().nullable(),
  network_id: z.string().nullable(),
  address: z.string().nullable(),
  memo: z.string().nullable(),
  amount_minor: z.string().nullable(),
  decimals: z.number().nullable(),
  transfer_id: z.string().nullable(),
  sends: z.array(z.object({ outcome: z.string().nullable(), notAfterMs: z.number().nullable() })),
});

/** A row of ours as the comparison sees it, with its status for what the comparison does not judge. */
export type OurRow = OurTransfer & { readonly status: WithdrawalStatus };

/** What our database says about these references, ordered by reference. What it does not know is missing from the answer. */
export async function findOurTransfers(
  deps: { db: Db },
  input: { references: readonly string[] },
): Promise<readonly OurRow[]> {
  const references = [...new Set(input.references.filter(isUuidText))];
  if (references.length === 0) return [];
  const rows = await deps.db.query<object>(findOurTransfersSql, [references]);
  return rows.map((found) => {
    const row = rowSchema.parse(found);
    return {
      withdrawalId: row.id,
      reference: row.idempotency_key,
      status: row.status,
      belief: beliefOf(row.status),
      // A key that was given up names no money, so nothing that custody shows can equal it.
      asset: row.asset_id ?? '',
      network: row.network_id ?? '',
      address: row.address ?? '',
      memo: row.memo,
      amountMinor: fromMinorText(row.amount_minor ?? '0'),
      decimals: row.decimals ?? 0,
      transferId: row.transfer_id,
      sends: row.sends.map(({ outcome, notAfterMs }) => ({ outcome: readSendOutcome(outcome), notAfterMs })),
    };
  });
}

/** What a status says about a transfer. A queued row says "not sent": the database lets none be queued that says less. */
function beliefOf(status: WithdrawalStatus): OurTransfer['belief'] {
  if (status === 'awaiting_approval' || status === 'queued') return 'not_sent';
  if (status === 'dispatching' || status === 'in_doubt') return 'maybe_sent';
  return status === 'submitted' || status === 'broadcast' || status === 'completed' ? 'sent' : 'ended_without';
}

// Ordered by character code, as the comparison wants it, and not by the language of the database.
const findOurTransfersSql: Statement = {
  name: 'find_our_transfers',
  text: `
    select w.id, w.idempotency_key, w.status, w.asset_id, w.network_id, w.address, w.memo, w.amount_minor, a.decimals, w.transfer_id,
      -- Only where a transfer would be a surprise: what was sent explains it, or nothing does.
      case when w.status in ('dispatching', 'in_doubt', 'submitted', 'broadcast', 'completed') then '[]' else coalesce((
        select jsonb_agg(jsonb_build_object('outcome', t.outcome, 'notAfterMs', floor(extract(epoch from t.not_after) * 1000)) order by t.attempt)
        from withdrawal_attempts t where t.withdrawal_id = w.id and t.kind = 'send'), '[]') end as sends
    from withdrawals w left join assets a on a.id = w.asset_id
    where w.idempotency_key = any($1::uuid[])
    order by w.idempotency_key::text collate "C"`,
};
