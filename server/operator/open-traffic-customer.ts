import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { openCustomer } from '#server/customers/open-customer.ts';
import type { Database, Statement } from '#server/db/database.ts';

export interface TrafficCustomer {
  readonly userId: string;
  /** The session, as a browser would send it. */
  readonly cookie: string;
}

/**
 * A new customer of the demo in the widest tier, with coins of the demo's richest: the books stay equal, for custody's wallet
 * holds them already. The person is written here, for a tier that stands from the beginning needs nobody's second factor.
 *
 * @throws Error when the door does not let the sign-in through, or nobody has the coins to give
 */
export async function openTrafficCustomer(options: { db: Database; webUrl: string }): Promise<TrafficCustomer> {
  const { db, webUrl } = options;
  const userId = randomUUID();
  const person = { email: `traffic-${userId}@demo.cryptoex.test`, password: `never-used-twice-${randomUUID()}` };
  await db.query(insertPersonSql, [userId, person.email, randomUUID(), await hashPassword(person.password)]);
  await openCustomer({ db }, { userId, tier: 'institution' });
  const answer = await fetch(`${webUrl}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: webUrl, 'content-type': 'application/json' },
    body: JSON.stringify(person),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`the sign-in answered ${answer.status}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const given = await db.query(giveCoinsSql, [userId, randomUUID()]);
  if (given.length === 0) throw new Error('nobody has the coins to give');
  return { userId, cookie };
}

const insertPersonSql: Statement = {
  name: 'insert_traffic_person',
  text: `
    with person as (insert into users (id, name, email, email_verified, role) values ($1, 'Traffic', $2, true, 'customer') returning id)
    insert into accounts (id, account_id, provider_id, user_id, password)
    select $3::uuid, p.id::text, 'credential', p.id, $4 from person p`,
};

/** A thousand, or half of what is left: the lab can be started again and again. */
const giveCoinsSql: Statement = {
  name: 'give_traffic_coins',
  text: `
    with giver as (
      select b.available_account_id, least(floor(b.available_minor / 2), 1000000000) as amount from customer_balances b join users u on u.id = b.customer_id
      where u.email = 'alice@demo.cryptoex.test' and b.asset_id = 'USDC' and b.available_minor > 10000000
    ), transfer as (
      insert into ledger_transfers (asset_id, kind, source_id) select 'USDC', 'deposit', $2::uuid from giver returning id
    )
    insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select t.id, 1, 'USDC', g.available_account_id, b.available_account_id, g.amount
    from transfer t, giver g, customer_balances b where b.customer_id = $1 and b.asset_id = 'USDC' returning leg`,
};
