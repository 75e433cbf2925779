import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * The second of two people closes a case on exactly the evidence that the first saw. With the customer's last open case their
 * payouts go on; a pause that the case brought is ended on the page of the switches. Only here and never by time.
 */
export async function confirmCaseClose(
  deps: { db: Database },
  input: { caseId: string; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'closed'; payoutsResumed: boolean } | { kind: 'refused'; refusal: Refusal }> {
  const { caseId, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [open] = await tx.query<OpenCase>(lockSql, [caseId]);
    if (open === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    if (open.closed) return { kind: 'refused', refusal: refuse('already_done') };
    if (!open.proposal_stands) return { kind: 'refused', refusal: refuse('changed_meanwhile') };
    if (open.close_proposed_by === actorId) return { kind: 'refused', refusal: refuse('second_person_needed') };
    const refusal = await input.confirm(tx, { deed: 'close_case', subject: caseId });
    if (refusal !== null) return { kind: 'refused', refusal };
    await tx.query(closeSql, [caseId, actorId]);
    const resumed = await tx.query(resumePayoutsSql, [open.customer_id]);
    const before = { proposedBy: open.close_proposed_by, reason: open.closed_reason };
    const after = { closedBy: actorId, payoutsResumed: resumed.length > 0 };
    await appendAudit({ db: tx }, { actorId, action: 'case.close', subject: caseId, before, after });
    return { kind: 'closed', payoutsResumed: resumed.length > 0 };
  });
}

interface OpenCase {
  readonly customer_id: string | null;
  readonly close_proposed_by: string | null;
  readonly closed_reason: string | null;
  readonly proposal_stands: boolean;
  readonly closed: boolean;
}

// The customer first, as whoever opens a case of theirs does: both then see the other's.
const lockSql: Statement = {
  name: 'lock_case_to_close',
  text: `
    with k as (select 1 from customers c where c.id = (select x.customer_id from cases x where x.id = $1) for no key update)
    select c.customer_id, c.close_proposed_by, c.closed_reason, coalesce(c.close_proposed_revision = c.revision, false) as proposal_stands,
      c.closed_at is not null as closed
    from cases c where c.id = $1 and (select count(*) from k) >= 0 for update of c`,
};

const closeSql: Statement = {
  name: 'close_case',
  text: 'update cases set closed_by = $2, closed_at = protocol_now() where id = $1',
};

const resumePayoutsSql: Statement = {
  name: 'resume_payouts_of_customer',
  text: `
    update customers c set payouts_stopped_at = null, payouts_stopped_reason = null
    where c.id = $1::uuid and c.payouts_stopped_at is not null
      and not exists (select 1 from cases x where x.customer_id = c.id and x.closed_at is null)
    returning c.id`,
};
