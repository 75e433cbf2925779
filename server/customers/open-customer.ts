import type { Database, Statement } from '#server/db/database.ts';

/**
 * Gives a person a customer row with an account and a balance of zero for each asset. Calling it again adds what is
 * missing and changes nothing else.
 *
 * @param input.tier of a customer who is new; another one later needs a second factor of the staff
 */
export async function openCustomer(deps: { db: Database }, input: { userId: string; tier?: string }): Promise<void> {
  const { userId, tier = 'standard' } = input;
  await deps.db.transaction(async (tx) => {
    await tx.query(openCustomerSql, [userId, tier]);
    for (const statement of STATEMENTS) await tx.query(statement, [userId]);
  });
}

const openCustomerSql: Statement = {
  name: 'open_customer',
  text: `insert into customers (id, tier) select u.id, $2 from users u where u.id = $1 and u.role = 'customer' on conflict do nothing`,
};

const STATEMENTS: readonly Statement[] = [
  {
    name: 'open_customer_accounts',
    text: `
      insert into ledger_accounts (asset_id, kind, customer_id)
      select a.id, k.kind, c.id from customers c, assets a,
        unnest(array['customer_available', 'customer_held', 'customer_receivable']) as k(kind)
      where c.id = $1
      on conflict do nothing`,
  },
  {
    name: 'open_customer_balances',
    text: `
      insert into customer_balances (customer_id, asset_id, available_account_id, held_account_id)
      select v.customer_id, v.asset_id, v.id, h.id
      from ledger_accounts v join ledger_accounts h on h.customer_id = v.customer_id and h.asset_id = v.asset_id
      where v.customer_id = $1 and v.kind = 'customer_available' and h.kind = 'customer_held'
        -- A second row is not only ignored: a balance that comes after its entries is refused by a trigger.
        and not exists (select 1 from customer_balances b where b.customer_id = v.customer_id and b.asset_id = v.asset_id)
      on conflict do nothing`,
  },
];
