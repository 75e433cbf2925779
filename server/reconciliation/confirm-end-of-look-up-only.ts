import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { doubtUnsentWithdrawals } from '#server/reconciliation/doubt-unsent-withdrawals.ts';

/**
 * The second of two people ends look-up only. Whoever proposed it cannot, here and in the database. Rows that were accepted
 * meanwhile come into doubt first: the lost memory may have sent their keys. What is in doubt is then resolved as always, and
 * what was lost is never sent again before its not-after has passed.
 */
export async function confirmEndOfLookUpOnly(
  deps: { db: Database },
  input: { actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'ended' } | { kind: 'refused'; refusal: Refusal }> {
  const { actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [spell] = await tx.query<{ id: string; end_proposed_by: string | null }>(lockSpellSql, []);
    if (spell === undefined) return { kind: 'refused', refusal: refuse('already_done') };
    if (spell.end_proposed_by === null) return { kind: 'refused', refusal: refuse('changed_meanwhile') };
    if (spell.end_proposed_by === actorId) return { kind: 'refused', refusal: refuse('second_person_needed') };
    const refusal = await input.confirm(tx, { deed: 'end_look_up_only', subject: spell.id });
    if (refusal !== null) return { kind: 'refused', refusal };
    await doubtUnsentWithdrawals({ db: tx }, { runId: null });
    await tx.query(endSpellSql, [spell.id, actorId]);
    await tx.query(endModeSql, []);
    const before = { endProposedBy: spell.end_proposed_by };
    const entry = { actorId, action: 'mode.normal', subject: spell.id, before, after: { endedBy: actorId } };
    await appendAudit({ db: tx }, entry);
    return { kind: 'ended' };
  });
}

const lockSpellSql: Statement = {
  name: 'lock_look_up_only_spell',
  text: 'select id, end_proposed_by from look_up_only_spells where ended_at is null for update',
};

const endSpellSql: Statement = {
  name: 'end_look_up_only_spell',
  text: 'update look_up_only_spells set ended_by = $2, ended_at = protocol_now() where id = $1::bigint',
};

const endModeSql: Statement = {
  name: 'end_look_up_only',
  text: `update protocol_settings set mode = 'normal', mode_reason = null, mode_since = null where mode = 'look_up_only'`,
};
