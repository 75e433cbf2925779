import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import { findWrittenDeed } from '#server/audit/find-written-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

export const SWITCH_SCOPES = ['all', 'asset', 'network', 'customer'] as const;
export type SwitchScope = (typeof SWITCH_SCOPES)[number];

/**
 * Stops payouts of a scope at once: new requests are refused, accepted ones wait. Claims and resends read the switch in
 * their own statements, so nothing that begins after this leaves. Pausing what is paused changes nothing, and a press that comes
 * again after two people resumed pauses nothing anew.
 *
 * @param input.target the asset, network or customer; empty for all
 * @param input.deedId of the form that was pressed; null for a machine's own pause
 */
export async function pausePayouts(
  deps: { db: Database },
  input: { scope: SwitchScope; target: string; reason: string; actorId: string; deedId: string | null },
): Promise<{ kind: 'paused' | 'already_paused' } | { kind: 'refused'; refusal: Refusal }> {
  const { scope, target, reason, actorId, deedId } = input;
  const action = 'switch.pause';
  return await deps.db.transaction(async (tx) => {
    const known = deedId === null ? null : await findWrittenDeed({ db: tx }, { deedId, actorId, action });
    if (known !== null) {
      const [row] = known.kind === 'same' ? await tx.query<{ open: boolean }>(findPauseSql, [known.subject]) : [];
      return row?.open ? { kind: 'already_paused' } : { kind: 'refused', refusal: refuse('changed_meanwhile') };
    }
    const [opened] = await tx.query<{ id: string }>(pauseSql, [scope, target, reason, actorId]);
    if (opened === undefined) return { kind: 'already_paused' };
    const after = { scope, target, reason };
    await appendAudit({ db: tx }, { actorId, action, subject: opened.id, before: null, after, deedId });
    return { kind: 'paused' };
  });
}

const findPauseSql: Statement = {
  name: 'find_pause',
  text: 'select s.resumed_at is null as open from switches s where s.id = $1',
};

const pauseSql: Statement = {
  name: 'pause_payouts',
  text: `
    insert into switches (scope, target, reason, paused_by) values ($1, $2, $3, $4)
    on conflict (scope, target) where resumed_at is null do nothing returning id`,
};
