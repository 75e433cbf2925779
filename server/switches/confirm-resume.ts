import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * The second of two people ends a pause. Whoever proposed it cannot, here and in the database (`switches_resumed_by_two`).
 * What waited is found by the sweeper and goes on.
 */
export async function confirmResume(
  deps: { db: Database },
  input: { switchId: string; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'resumed' } | { kind: 'refused'; refusal: Refusal }> {
  const { switchId, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [open] = await tx.query<{ resume_proposed_by: string | null }>(lockSwitchSql, [switchId]);
    if (open === undefined) return { kind: 'refused', refusal: refuse('already_done') };
    if (open.resume_proposed_by === null) return { kind: 'refused', refusal: refuse('changed_meanwhile') };
    if (open.resume_proposed_by === actorId) return { kind: 'refused', refusal: refuse('second_person_needed') };
    const refusal = await input.confirm(tx, { deed: 'resume', subject: switchId });
    if (refusal !== null) return { kind: 'refused', refusal };
    await tx.query(confirmResumeSql, [switchId, actorId]);
    const before = { resumeProposedBy: open.resume_proposed_by };
    await appendAudit(
      { db: tx },
      { actorId, action: 'switch.resume', subject: switchId, before, after: { resumedBy: actorId } },
    );
    return { kind: 'resumed' };
  });
}

const lockSwitchSql: Statement = {
  name: 'lock_switch',
  text: 'select resume_proposed_by from switches where id = $1 and resumed_at is null for update',
};

const confirmResumeSql: Statement = {
  name: 'confirm_resume',
  text: 'update switches set resumed_by = $2, resumed_at = protocol_now() where id = $1',
};
