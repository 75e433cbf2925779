import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** Gives a customer another tier, or has every request of theirs looked at. Waits for a request that is being accepted. */
export async function setCustomerTier(
  deps: { db: Database },
  input: { customerId: string; tierId: string; reviewAll: boolean; actorId: string },
): Promise<{ kind: 'set' | 'absent' }> {
  const { customerId, tierId, reviewAll, actorId } = input;
  return await deps.db.transaction(async (tx) => {
    const [known] = await tx.query<{ tier: string; review_all: boolean }>(lockCustomerSql, [customerId, tierId]);
    if (known === undefined) return { kind: 'absent' };
    await tx.query(setCustomerTierSql, [customerId, tierId, reviewAll]);
    const before = { tier: known.tier, reviewAll: known.review_all };
    const after = { tier: tierId, reviewAll };
    await appendAudit({ db: tx }, { actorId, action: 'customer.set_tier', subject: customerId, before, after });
    return { kind: 'set' };
  });
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
