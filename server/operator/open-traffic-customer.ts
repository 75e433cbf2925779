import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database, Statement } from '#server/db/database.ts';

export interface TrafficCustomer {
  readonly userId: string;
  /** The session, as a browser would send it. */
  readonly cookie: string;
}

const signedUpSchema = z.object({ user: z.object({ id: z.string() }) });

/**
 * A new customer of the demo in the widest tier, with coins of the demo's richest: the books stay equal, for custody's wallet
 * holds them already.
 *
 * @throws Error when the door does not let the sign-up through, or nobody has the coins to give
 */
export async function openTrafficCustomer(options: { db: Database; webUrl: string }): Promise<TrafficCustomer> {
  const { db, webUrl } = options;
  const data = {
    name: 'Traffic',
    email: `traffic-${randomUUID()}@demo.cryptoex.test`,
    password: `never-used-twice-${randomUUID()}`,
  };
  const answer = await fetch(`${webUrl}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { origin: webUrl, 'content-type': 'application/json' },
    body: JSON.stringify(data),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`the sign-up answered ${answer.status}`);
  const { user } = signedUpSchema.parse(await answer.json());
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  await db.query(widenTierSql, [user.id]);
  const given = await db.query(giveCoinsSql, [user.id, randomUUID()]);
  if (given.length === 0) throw new Error('nobody has the coins to give');
  return { userId: user.id, cookie };
}

const widenTierSql: Statement = {
  name: 'widen_traffic_tier',
  text: `update customers set tier = 'institution' where id = $1`,
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
