import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** The first of two people says that our memory is whole again. Nothing changes until another one confirms. */
export async function proposeEndOfLookUpOnly(
  deps: { db: Database },
  input: { actorId: string },
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [spell] = await tx.query<{ id: string }>(proposeEndSql, [actorId]);
    if (spell === undefined) return { kind: 'refused', refusal: refuse('already_done') };
    const entry = { actorId, action: 'mode.propose_end', subject: spell.id, before: null, after: null };
    await appendAudit({ db: tx }, entry);
    return { kind: 'proposed' };
  });
}

const proposeEndSql: Statement = {
  name: 'propose_end_of_look_up_only',
  text: `
    update look_up_only_spells set end_proposed_by = $1, end_proposed_at = protocol_now()
    where ended_at is null returning id`,
};
