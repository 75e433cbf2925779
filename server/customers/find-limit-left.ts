import { formatAmount } from '#domain/money.ts';
import { REFERENCE_CURRENCY, REFERENCE_DECIMALS } from '#domain/withdrawal-limits.ts';
import type { Db, Statement } from '#server/db/database.ts';

export interface LimitLeft {
  currency: string;
  /** What may be asked for in a rolling day without a person looking at it, in the reference currency. */
  perDay: string;
  left: string;
}

/** How much of the day's limit is left. The accepting transaction counts again, under the customer's lock. */
export async function findLimitLeft(deps: { db: Db }, input: { customerId: string }): Promise<LimitLeft | null> {
  const [row] = await deps.db.query<{ per_day: string; used: string }>(findLimitLeftSql, [input.customerId]);
  if (row === undefined) return null;
  const perDay = BigInt(row.per_day);
  const left = perDay - BigInt(row.used);
  return {
    currency: REFERENCE_CURRENCY,
    perDay: inCents(perDay),
    left: inCents(left > 0n ? left : 0n),
  };
}

/** Whole cents, rounded down: more than is left is never promised. */
function inCents(referenceMinor: bigint): string {
  return formatAmount(referenceMinor / 10n ** BigInt(REFERENCE_DECIMALS - 2), 2);
}

const findLimitLeftSql: Statement = {
  name: 'find_limit_left',
  text: `
    select t.auto_limit_24h_reference_minor as per_day, (
      select coalesce(sum(u.value_reference_minor), 0)::numeric(78, 0)
      from withdrawals_counted_since(c.id, protocol_now() - interval '24 hours') u) as used
    from customers c join tiers t on t.id = c.tier where c.id = $1`,
};
