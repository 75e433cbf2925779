import { emailDomainOf } from '#domain/email-domain.ts';
import { isUuidText } from '#domain/withdrawal.ts';
import type { Db, Statement } from '#server/db/database.ts';
import { BY_DOMAIN, ofDomain } from '#server/sql/of-domain.sql.ts';

export interface ShownCustomer {
  customerId: string;
  name: string;
  email: string;
  tier: string;
  reviewAll: boolean;
  frozen: { since: string; reason: string | null } | null;
  /** After a change of security; ends by itself. */
  frozenUntil: string | null;
  payoutsStopped: string | null;
  openWithdrawals: number;
  since: string;
}

/** A page of customers by e-mail, from behind the one named as cursor; frozen and stopped ones first when nobody is searched for. */
export async function findCustomers(
  deps: { db: Db },
  input: { cursor: string | null; limit: number; search: string | null },
): Promise<{ items: ShownCustomer[]; nextCursor: string | null }> {
  const search = input.search?.trim().toLowerCase() || null;
  const id = search !== null && isUuidText(search) ? search : null;
  const rows = await deps.db.query<CustomerRow>(findCustomersSql, [
    input.cursor,
    search,
    id,
    search === null ? null : emailDomainOf(search),
  ]);
  const items = rows.slice(0, input.limit).map(toCustomer);
  return { items, nextCursor: rows.length > input.limit ? (items.at(-1)?.email ?? null) : null };
}

function toCustomer(row: CustomerRow): ShownCustomer {
  return {
    customerId: row.id,
    name: row.name,
    email: row.email,
    tier: row.tier,
    reviewAll: row.review_all,
    frozen: row.frozen_at === null ? null : { since: row.frozen_at.toISOString(), reason: row.frozen_reason },
    frozenUntil: row.frozen_until?.toISOString() ?? null,
    payoutsStopped: row.payouts_stopped_reason,
    openWithdrawals: row.open,
    since: row.created_at.toISOString(),
  };
}

interface CustomerRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly tier: string;
  readonly review_all: boolean;
  readonly frozen_at: Date | null;
  readonly frozen_reason: string | null;
  readonly frozen_until: Date | null;
  readonly payouts_stopped_reason: string | null;
  readonly open: number;
  readonly created_at: Date;
}

/**
 * A page of a hundred and one more, written out for the planner. By the index of e-mail addresses a prefix, by that of their domains
 * everybody of one, or the exact id.
 */
const findCustomersSql: Statement = {
  name: 'find_customers',
  text: `
    select c.id, f.name, f.email, c.tier, c.review_all, c.frozen_at, c.frozen_reason,
      case when c.frozen_until > protocol_now() then c.frozen_until end as frozen_until, c.payouts_stopped_reason, c.created_at,
      (select count(*)::integer from withdrawals w where w.customer_id = c.id
        and w.status not in ('completed', 'failed', 'cancelled', 'rejected', 'refused')) as open
    from (
      (select u.id, u.name, u.email from users u
        where $3::uuid is null and u.role = 'customer' and u.email > coalesce($1::text, '') and u.email >= coalesce($2::text, '')
          and u.email < coalesce($2::text, '') || chr(1114111)
        order by u.email limit 101)
      union (select u.id, u.name, u.email from users u
        where ${ofDomain('$4::text', "coalesce($1::text, '')")} and u.role = 'customer'
        order by ${BY_DOMAIN} limit 101)
      union (select u.id, u.name, u.email from users u where u.id = $3::uuid)
    ) f
    -- One look by key for each: with a limit the planner does not turn it into a reading of them all.
    cross join lateral (select * from customers k where k.id = f.id limit 1) c
    order by f.email`,
};
