import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import { findWrittenDeed } from '#server/audit/find-written-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * The first of two people says that payouts may go on. Nothing changes until another one confirms, and the same form pressed again
 * proposes nothing anew.
 */
export async function proposeResume(
  deps: { db: Database },
  input: { switchId: string; actorId: string; deedId: string },
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { switchId, actorId, deedId } = input;
  const action = 'switch.propose_resume';
  return await deps.db.transaction(async (tx) => {
    const [row] = await tx.query<{ resumed: boolean }>(lockSwitchSql, [switchId]);
    const known = await findWrittenDeed({ db: tx }, { deedId, actorId, action });
    if (known?.kind === 'same' && known.subject === switchId) return { kind: 'proposed' };
    if (row === undefined || row.resumed) return { kind: 'refused', refusal: refuse('already_done') };
    if (known !== null) return { kind: 'refused', refusal: refuse('changed_meanwhile') };
    await tx.query(proposeResumeSql, [switchId, actorId]);
    const after = { resumeProposedBy: actorId };
    await appendAudit({ db: tx }, { actorId, action, subject: switchId, before: null, after, deedId });
    return { kind: 'proposed' };
  });
}

const lockSwitchSql: Statement = {
  name: 'lock_switch_to_propose',
  text: 'select s.resumed_at is not null as resumed from switches s where s.id = $1 for update',
};

const proposeResumeSql: Statement = {
  name: 'propose_resume',
  text: 'update switches set resume_proposed_by = $2, resume_proposed_at = protocol_now() where id = $1',
};
