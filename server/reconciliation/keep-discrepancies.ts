import type { Discrepancy } from '#domain/reconciliation.ts';
import type { Db, Statement } from '#server/db/database.ts';

export type ComparedBooks = 'ours_custody' | 'ours_chain' | 'custody_chain' | 'balances';

export interface Finding {
  readonly books: ComparedBooks;
  readonly kind: Discrepancy['kind'];
  /** A reference, a transaction or an asset: with books and kind the name of this finding. */
  readonly subject: string;
  readonly withdrawalId: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Keeps what a run found: a finding that is still open is seen again and is no second one. Nothing else is changed by it. */
export async function keepDiscrepancies(
  deps: { db: Db },
  input: { runId: string; findings: readonly Finding[] },
): Promise<{ opened: number }> {
  const { runId, findings } = input;
  if (findings.length === 0) return { opened: 0 };
  const kept = await deps.db.query<{ is_new: boolean }>(keepDiscrepanciesSql, [runId, JSON.stringify(findings)]);
  return { opened: kept.filter((row) => row.is_new).length };
}

const keepDiscrepanciesSql: Statement = {
  name: 'keep_discrepancies',
  text: `
    with found as (
      select distinct on (f.books, f.kind, f.subject) f.* from jsonb_to_recordset($2::jsonb)
        as f(books text, kind text, subject text, "withdrawalId" uuid, detail jsonb)
      order by f.books, f.kind, f.subject
    ), counted as (
      update reconciliation_runs r set findings = r.findings + (select count(*) from found) where r.id = $1::bigint
    )
    insert into reconciliation_discrepancies (books, kind, subject, withdrawal_id, detail, first_run_id, last_run_id)
    select f.books, f.kind, f.subject, f."withdrawalId", coalesce(f.detail, '{}'), $1::bigint, $1::bigint from found f
    on conflict (books, kind, subject) where closed_at is null
      do update set last_run_id = excluded.last_run_id, last_seen_at = protocol_now(), detail = excluded.detail
    returning first_run_id = $1::bigint as is_new`,
};
