import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import { findWrittenDeed } from '#server/audit/find-written-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/**
 * The first of two people says that our memory is whole again. Nothing changes until another one confirms, and the same form pressed
 * again proposes nothing anew.
 */
export async function proposeEndOfLookUpOnly(
  deps: { db: Database },
  input: { actorId: string; deedId: string },
): Promise<{ kind: 'proposed' } | { kind: 'refused'; refusal: Refusal }> {
  const { actorId, deedId } = input;
  const action = 'mode.propose_end';
  return await deps.db.transaction(async (tx) => {
    const [spell] = await tx.query<{ id: string }>(lockSpellSql, []);
    const known = await findWrittenDeed({ db: tx }, { deedId, actorId, action });
    if (known?.kind === 'same') return { kind: 'proposed' };
    if (spell === undefined) return { kind: 'refused', refusal: refuse('already_done') };
    if (known !== null) return { kind: 'refused', refusal: refuse('changed_meanwhile') };
    await tx.query(proposeEndSql, [spell.id, actorId]);
    await appendAudit({ db: tx }, { actorId, action, subject: spell.id, before: null, after: null, deedId });
    return { kind: 'proposed' };
  });
}

const lockSpellSql: Statement = {
  name: 'lock_spell_to_propose',
  text: 'select s.id from look_up_only_spells s where s.ended_at is null for update',
};

const proposeEndSql: Statement = {
  name: 'propose_end_of_look_up_only',
  text: 'update look_up_only_spells set end_proposed_by = $2, end_proposed_at = protocol_now() where id = $1',
};
