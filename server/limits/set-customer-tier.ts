import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import type { Database, Statement } from '#server/db/database.ts';

export interface CustomerTier {
  readonly customerId: string;
  readonly tierId: string;
  /** Every request of theirs waits for a person. */
  readonly reviewAll: boolean;
}

/**
 * Gives a customer another tier, or has every request of theirs looked at. Waits for a request that is being accepted. Another tier,
 * and no longer looking, are confirmed by a second factor (`customers_tier_confirmed`).
 */
export async function setCustomerTier(
  deps: { db: Database },
  input: CustomerTier & { actorId: string; confirm: ConfirmDeed },
): Promise<{ kind: 'set' } | { kind: 'refused'; refusal: Refusal }> {
  const { customerId, tierId, reviewAll, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [known] = await tx.query<{ tier: string; review_all: boolean }>(lockCustomerSql, [customerId, tierId]);
    if (known === undefined) return { kind: 'refused', refusal: refuse('not_found') };
    const widens = known.tier !== tierId || (known.review_all && !reviewAll);
    const about = { deed: 'set_customer_tier', subject: customerTierSubject(input) } as const;
    const refusal = widens ? await input.confirm(tx, about) : null;
    if (refusal !== null) return { kind: 'refused', refusal };
    await tx.query(setCustomerTierSql, [customerId, tierId, reviewAll]);
    const before = { tier: known.tier, reviewAll: known.review_all };
    const after = { tier: tierId, reviewAll };
    await appendAudit({ db: tx }, { actorId, action: 'customer.set_tier', subject: customerId, before, after });
    return { kind: 'set' };
  });
}

/** What is confirmed: the customer's columns as they will be. */
export function customerTierSubject({ customerId, tierId, reviewAll }: CustomerTier): string {
  return JSON.stringify({ id: customerId, tier: tierId, review_all: reviewAll });
}

const lockCustomerSql: Statement = {
  name: 'lock_customer_for_tier',
  text: `
    select c.tier, c.review_all from customers c
    where c.id = $1 and exists (select 1 from tiers t where t.id = $2) for no key update of c`,
};

const setCustomerTierSql: Statement = {
  name: 'set_customer_tier',
  text: 'update customers set tier = $2, review_all = $3 where id = $1',
};
