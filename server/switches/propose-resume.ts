import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** The first of two people says that payouts may go on. Nothing changes until another one confirms. */
export async function proposeResume(
  deps: { db: Database },
  input: { switchId: string; actorId: string },
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { switchId, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [row] = await tx.query(proposeResumeSql, [switchId, actorId]);
    if (row === undefined) return { kind: 'refused', refusal: refuse('already_done') };
    const after = { resumeProposedBy: actorId };
    await appendAudit({ db: tx }, { actorId, action: 'switch.propose_resume', subject: switchId, before: null, after });
    return { kind: 'proposed' };
  });
}

const proposeResumeSql: Statement = {
  name: 'propose_resume',
  text: `
    update switches set resume_proposed_by = $2, resume_proposed_at = protocol_now()
    where id = $1 and resumed_at is null returning id`,
};
