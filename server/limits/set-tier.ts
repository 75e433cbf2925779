import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** The limits of a tier, in reference minor units; null for none. */
export interface TierLimits {
  readonly tierId: string;
  readonly autoLimit24hReferenceMinor: bigint;
  readonly autoLimit30dReferenceMinor: bigint;
  readonly secondApprovalReferenceMinor: bigint;
  readonly hardLimit24hReferenceMinor: bigint | null;
  readonly newAddressAutoReferenceMinor: bigint | null;
  readonly velocityMax: number;
}

/**
 * Changes what a tier may do, from the next request on: the accepting call reads it each time. By a second factor, for exactly these
 * limits (`tiers_change_confirmed`).
 */
export async function setTier(
  deps: { db: Database },
  input: { limits: TierLimits; actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'set' } | { kind: 'refused'; refusal: Refusal }> {
  const { limits, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [known] = await tx.query<{ tier: Record<string, unknown> }>(lockTierSql, [limits.tierId]);
    if (known === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    const refusal = await input.confirm(tx, { deed: 'set_tier', subject: tierSubject(limits) });
    if (refusal !== null) return { kind: 'refused', refusal };
    const [after] = await tx.query<{ tier: Record<string, unknown> }>(setTierSql, [
      limits.tierId,
      limits.autoLimit24hReferenceMinor.toString(),
      limits.autoLimit30dReferenceMinor.toString(),
      limits.secondApprovalReferenceMinor.toString(),
      limits.hardLimit24hReferenceMinor?.toString() ?? null,
      limits.newAddressAutoReferenceMinor?.toString() ?? null,
      limits.velocityMax,
    ]);
    await appendAudit(
      { db: tx },
      { actorId, action: 'tier.set', subject: limits.tierId, before: known.tier, after: after?.tier ?? null },
    );
    return { kind: 'set' };
  });
}

/** What is confirmed: the tier's columns as they will be. */
export function tierSubject(limits: TierLimits): string {
  return JSON.stringify({
    id: limits.tierId,
    auto_limit_24h_reference_minor: limits.autoLimit24hReferenceMinor.toString(),
    auto_limit_30d_reference_minor: limits.autoLimit30dReferenceMinor.toString(),
    second_approval_reference_minor: limits.secondApprovalReferenceMinor.toString(),
    hard_limit_24h_reference_minor: limits.hardLimit24hReferenceMinor?.toString() ?? null,
    new_address_auto_reference_minor: limits.newAddressAutoReferenceMinor?.toString() ?? null,
    velocity_max: limits.velocityMax,
  });
}

const lockTierSql: Statement = {
  name: 'lock_tier',
  text: 'select to_jsonb(t) as tier from tiers t where id = $1 for update',
};

const setTierSql: Statement = {
  name: 'set_tier',
  text: `
    update tiers t set auto_limit_24h_reference_minor = $2, auto_limit_30d_reference_minor = $3, second_approval_reference_minor = $4,
      hard_limit_24h_reference_minor = $5, new_address_auto_reference_minor = $6, velocity_max = $7
    where id = $1 returning to_jsonb(t) as tier`,
};
