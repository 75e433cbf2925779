import { randomUUID } from 'node:crypto';
import { openCustomer } from '#server/customers/open-customer.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { seed } from '../../prisma/seed.ts';

/** A migrated database with customers who may ask for as much as they like. */
export interface BenchHouse {
  readonly url: string;
  readonly db: Database;
  readonly customers: readonly string[];
  /** A statement for arranging. */
  run<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** Enough that two of 32 requests in flight are seldom one customer's. */
const CUSTOMERS = 400;

/** @param url of a database as `createDatabase` of the world makes it */
export async function openBenchHouse(url: string): Promise<BenchHouse> {
  // Whatever waits here is what is measured: nobody gives up.
  const db = createDatabase({
    url,
    max: 16,
    applicationName: 'cryptoex-bench',
    connectTimeoutMs: 60_000,
    lockTimeoutMs: 60_000,
    queryTimeoutMs: 90_000,
  });
  const run = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    db.query<Row>({ name: '', text }, values);
  await seed({ db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  const customers = Array.from({ length: CUSTOMERS }, () => randomUUID());
  await run(`insert into users (id, name, email) select i, 'Bench', i || '@bench.test' from unnest($1::uuid[]) i`, [
    customers,
  ]);
  await Promise.all(customers.map((userId) => openCustomer({ db }, { userId, tier: 'institution' })));
  // An institution of the bench asks for more than any.
  await run('alter table tiers disable trigger tiers_change_confirmed');
  await run(`update tiers set velocity_max = 1000000000, hard_limit_24h_reference_minor = null, step_up_reference_minor = null,
    auto_limit_24h_reference_minor = 1e30, auto_limit_30d_reference_minor = 1e30, breaker_requests_max = 1000000000 where id = 'institution'`);
  await run(
    `with b as (select asset_id, available_account_id as account, gen_random_uuid() as source
         from customer_balances where asset_id in ('USDC', 'USDT')),
       t as (insert into ledger_transfers (asset_id, kind, source_id) select asset_id, 'deposit', source from b returning id, source_id)
     insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
       select t.id, 1, b.asset_id, ledger_house_account(b.asset_id, 'custody_hot'), b.account, 1000000000000000000
       from t join b on b.source = t.source_id`,
  );
  await run('create table bench_customers (n integer primary key, id uuid not null)');
  await run('insert into bench_customers select n, id from unnest($1::uuid[]) with ordinality as c(id, n)', [
    customers,
  ]);
  // A house with a past: of a table with a few rows Postgres would plan to read all, and keep the plan while it grows.
  await run(PAST);
  // Not the tables that are still empty: told that nothing is in them, Postgres would read them whole for ever after.
  await run('analyze users, customers, customer_balances, ledger_accounts, bench_customers, withdrawals');
  return { url, db, customers, run, close: () => db.close() };
}

/** Refused requests of the last month: they hold nothing, and nobody has to do anything about them. */
const PAST = `
insert into withdrawals (id, idempotency_key, customer_id, asset_id, network_id, address, amount_minor, fee_minor, total_minor, fee_mode,
    status, refusal_code, confirmations_required, ended_at, requested_at, status_since, updated_at, approvals_required)
  select gen_random_uuid(), gen_random_uuid(), c.id, 'USDC', 'ethereum', '0x' || md5(g::text) || '00000000', 1000000, 500000, 1500000, 'on_top',
    'refused', 'insufficient_funds', 12, t.at, t.at, t.at, t.at, 0
  from generate_series(1, 20000) g join bench_customers c on c.n = 1 + g % (select count(*) from bench_customers)
  cross join lateral (select protocol_now() - interval '2 days' - g * interval '2 minutes' as at) t`;
