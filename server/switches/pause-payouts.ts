import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

export const SWITCH_SCOPES = ['all', 'asset', 'network', 'customer'] as const;
export type SwitchScope = (typeof SWITCH_SCOPES)[number];

/**
 * Stops payouts of a scope at once: new requests are refused, accepted ones wait. Claims and resends read the switch in
 * their own statements, so nothing that begins after this leaves. Pausing what is paused changes nothing.
 *
 * @param input.target the asset, network or customer; empty for all
 */
export async function pausePayouts(
  deps: { db: Database },
  input: { scope: SwitchScope; target: string; reason: string; actorId: string },
): Promise<{ kind: 'paused' | 'already_paused' }> {
  const { scope, target, reason, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [opened] = await tx.query<{ id: string }>(pauseSql, [scope, target, reason, actorId]);
    if (opened === undefined) return { kind: 'already_paused' };
    const after = { scope, target, reason };
    await appendAudit({ db: tx }, { actorId, action: 'switch.pause', subject: opened.id, before: null, after });
    return { kind: 'paused' };
  });
}

const pauseSql: Statement = {
  name: 'pause_payouts',
  text: `
    insert into switches (scope, target, reason, paused_by) values ($1, $2, $3, $4)
    on conflict (scope, target) where resumed_at is null do nothing returning id`,
};
