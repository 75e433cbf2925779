import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { openCaseSql } from '#server/sql/open-case.sql.ts';

/**
 * A finding that no machine and no single person explains becomes a case, which two people close. Where it is about a withdrawal or a
 * deposit its customer's payouts stop with it, as with every case. One finding is one case, however often it is pressed.
 */
export async function openCaseOfFinding(
  deps: { db: Database },
  input: { discrepancyId: string; reason: string; actorId: string },
): Promise<{ kind: 'opened' | 'already_open' } | { kind: 'refused'; refusal: Refusal }> {
  const { discrepancyId, reason, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [finding] = await tx.query<FindingRow>(lockFindingSql, [discrepancyId]);
    if (finding === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    if (finding.closed) return { kind: 'refused', refusal: refuse('already_done') };
    const evidence = { ...finding.evidence, discrepancyId, reason };
    const [opened] = await tx.query<{ id: string }>(openCaseSql, [
      'found_by_reconciliation',
      findingFingerprint(discrepancyId),
      finding.withdrawal_id,
      finding.customer_id,
      evidence,
      null,
      false,
    ]);
    if (opened === undefined) return { kind: 'already_open' };
    const after = { caseId: opened.id, reason };
    await appendAudit(
      { db: tx },
      { actorId, action: 'discrepancy.open_case', subject: discrepancyId, before: null, after },
    );
    return { kind: 'opened' };
  });
}

/** By which the case of a finding is found again. */
function findingFingerprint(discrepancyId: string): string {
  return `found_by_reconciliation:${discrepancyId}`;
}

interface FindingRow {
  readonly withdrawal_id: string | null;
  readonly customer_id: string | null;
  readonly closed: boolean;
  readonly evidence: Readonly<Record<string, unknown>>;
}

const lockFindingSql: Statement = {
  name: 'lock_finding',
  text: `
    select d.withdrawal_id, coalesce(w.customer_id, (d.detail ->> 'customerId')::uuid) as customer_id, d.closed_at is not null as closed,
      jsonb_build_object('books', d.books, 'finding', d.kind, 'subject', d.subject) || d.detail as evidence
    from reconciliation_discrepancies d left join withdrawals w on w.id = d.withdrawal_id
    where d.id = $1 for update of d`,
};
