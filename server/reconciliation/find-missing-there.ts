import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Database, Statement } from '#server/db/database.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { keepDiscrepancies } from '#server/reconciliation/keep-discrepancies.ts';

const PAGE = 500;

/**
 * Rows that custody accepted in the span and that its list did not show. Each is asked for by its reference before it is
 * reported: our row may have learned of its transfer long after custody made it.
 */
export async function findMissingThere(
  deps: { db: Database; custody: CustodyPort; times: ProtocolTimes },
  input: { runId: string; span: { fromMs: number; toMs: number } },
): Promise<void> {
  const { runId, span } = input;
  // A reader that lags shows the newest a little later; what is under way now is compared the next time.
  const settledMs = deps.times.quietPeriodMs;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await deps.db.query<{ id: string; reference: string; transfer_id: string }>(findUnseenSql, [
      runId,
      new Date(span.fromMs),
      settledMs,
      after,
      PAGE,
    ]);
    for (const row of rows) {
      const asked = await deps.custody.findByReference(row.reference);
      if (asked.kind === 'found' && asked.transfers.some((one) => one.id === row.transfer_id)) continue;
      const detail = { transferId: row.transfer_id, asked: asked.kind };
      const finding = { books: 'ours_custody', kind: 'missing_there', subject: row.reference } as const;
      await keepDiscrepancies(deps, { runId, findings: [{ ...finding, withdrawalId: row.id, detail }] });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.id;
  }
}

const findUnseenSql: Statement = {
  name: 'find_unseen_transfers',
  text: `
    select w.id, w.idempotency_key as reference, w.transfer_id from withdrawals w
    where w.transfer_id is not null and w.submitted_at >= $2 and w.submitted_at < protocol_now() - $3::float8 * interval '1 millisecond'
      and w.id > $4::uuid
      and not exists (select 1 from reconciliation_seen s where s.run_id = $1::bigint and s.reference = w.idempotency_key::text and s.transfer_id = w.transfer_id)
    order by w.id limit $5`,
};
