import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import { findWrittenDeed } from '#server/audit/find-written-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * The first of two people says that a contradiction is explained, by the evidence on the screen. Nothing goes on yet. The same form
 * pressed again proposes nothing anew.
 */
export async function proposeCaseClose(
  deps: { db: Database },
  input: { caseId: string; revision: bigint; reason: string; actorId: string; deedId: string },
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { caseId, revision, reason, actorId, deedId } = input;
  const action = 'case.propose_close';
  return await deps.db.transaction(async (tx) => {
    const [open] = await tx.query<{ revision: string; closed: boolean }>(lockSql, [caseId]);
    if (open === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    const known = await findWrittenDeed({ db: tx }, { deedId, actorId, action });
    if (known?.kind === 'same' && known.subject === caseId) return { kind: 'proposed' };
    if (open.closed) return { kind: 'refused', refusal: refuse('already_done') };
    if (known !== null || BigInt(open.revision) !== revision) {
      return { kind: 'refused', refusal: refuse('changed_meanwhile') };
    }
    await tx.query(proposeSql, [caseId, actorId, reason]);
    const after = { revision: revision.toString(), reason };
    await appendAudit({ db: tx }, { actorId, action, subject: caseId, before: null, after, deedId });
    return { kind: 'proposed' };
  });
}

const lockSql: Statement = {
  name: 'lock_case_to_propose',
  text: 'select revision, closed_at is not null as closed from cases where id = $1 for update',
};

const proposeSql: Statement = {
  name: 'propose_case_close',
  text: `
    update cases set close_proposed_by = $2, close_proposed_at = protocol_now(), close_proposed_revision = revision, closed_reason = $3
    where id = $1`,
};
