import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from './migrate.ts';
import { seed } from './seed.ts';
import { CONTROL_KEY, seedControlWithdrawal } from './seed-control-withdrawal.ts';

const CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed(database, { demoMode: true, contracts: { USDC: CONTRACT, USDT: null } });
});
afterAll(() => database.close());

it('asks for one withdrawal of the house, however often and however many at once it runs', async () => {
  await Promise.all(Array.from({ length: 5 }, () => seedControlWithdrawal(database)));
  await seed(database, { demoMode: true, contracts: { USDC: CONTRACT, USDT: null } });
  await seedControlWithdrawal(database);
  const rows = await database.run(
    `select w.idempotency_key, w.status, w.amount_minor, b.held_minor, b.available_minor,
       (select count(*) from outbox o where o.withdrawal_id = w.id)::integer as wake_ups
     from withdrawals w join customer_balances b on b.customer_id = w.customer_id and b.asset_id = w.asset_id`,
    [],
  );
  expect(rows).toEqual([
    {
      idempotency_key: CONTROL_KEY,
      status: 'queued',
      amount_minor: '1000000',
      held_minor: '1500000',
      available_minor: '98500000',
      wake_ups: 1,
    },
  ]);
});

it('gives the treasury no password, so that nobody signs in as the house', async () => {
  const rows = await database.run(
    `select 1 from accounts a join users u on u.id = a.user_id where u.email like 'treasury@%'`,
    [],
  );
  expect(rows).toEqual([]);
});
