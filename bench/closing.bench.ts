import { createTestDatabase } from '#server/db/test-database.ts';
import { closeBalances } from '#server/ledger/close-balances.ts';
import { findTrialBalance } from '#server/ledger/find-trial-balance.ts';
import { verifyLedger } from '#server/ledger/verify-ledger.ts';
import { migrate } from '../prisma/migrate.ts';
import { seed } from '../prisma/seed.ts';

/**
 * Closing the balances of two million accounts: the first time, when each of a million people has been paid in and nothing was closed
 * before; and again after ten thousand bookings, as every ten minutes. With the client and the time-out that the worker has.
 *
 * Run: TEST_DATABASE_URL=… npx tsx bench/closing.bench.ts
 */
const PEOPLE = 1_000_000;
const LATER = 10_000;
/** What comes again every ten minutes may not grow with the number of people. */
const AGAIN_MAX_MS = 2_000;

const database = await createTestDatabase({ migrate, max: 2 });
const patient = database.open({ queryTimeoutMs: 600_000 });
const run = (text: string) => patient.query<Record<string, string>>({ name: '', text }, []);
try {
  await seed({ db: database.db }, { demoMode: true, contracts: { USDC: null, USDT: null } });
  await openAccounts();
  await payIn(PEOPLE);
  const first = await time(() => closeBalances(database));
  const steps = await run(
    'select count(*) as n, (select count(*) from ledger_closed_balances) as rows from ledger_closings',
  );
  await payIn(LATER);
  const open = await findTrialBalance(database);
  const again = await time(() => closeBalances(database));
  const closed = await findTrialBalance(database);
  const exact =
    JSON.stringify(open.assets) === JSON.stringify(closed.assets) && closed.assets.every(({ sum }) => sum === '0');
  const added = await run(
    'select count(*) as rows from ledger_closed_balances where closing_id = (select max(id) from ledger_closings)',
  );
  const trial = await time(() => findTrialBalance(database));
  const verify = await time(() => verifyLedger({ db: patient }, { deep: false }));
  const deep = await verifyLedger({ db: patient }, { deep: true });
  console.log(
    JSON.stringify({
      bench: 'closing',
      unit: 'ms',
      accounts: 2 * PEOPLE,
      first,
      steps,
      again,
      added,
      trial,
      verify,
      exact,
      differences: deep.length,
    }),
  );
  if (again > AGAIN_MAX_MS || !exact || deep.length > 0) process.exitCode = 1;
} finally {
  await database.close();
}

/** Loaded without guards: two million of them, one by one, take minutes. */
async function openAccounts(): Promise<void> {
  await run(`
    set session_replication_role = replica;
    insert into ledger_accounts (asset_id, kind, customer_id)
      select 'USDC', k.kind, md5('person' || n)::uuid
      from generate_series(1, ${PEOPLE}) n cross join (values ('customer_available'), ('customer_held')) k(kind);
    insert into customer_balances (customer_id, asset_id, available_account_id, held_account_id, available_minor, held_minor)
      select a.customer_id, 'USDC', a.id, h.id, 0, 0
      from ledger_accounts a join ledger_accounts h on h.customer_id = a.customer_id and h.asset_id = 'USDC' and h.kind = 'customer_held'
      where a.asset_id = 'USDC' and a.kind = 'customer_available' and a.customer_id not in (select b.customer_id from customer_balances b);
    reset session_replication_role`);
  await run('analyze ledger_accounts');
}

async function payIn(people: number): Promise<void> {
  await run(`
    set session_replication_role = replica;
    with who as (
      select b.available_account_id as account, nextval(pg_get_serial_sequence('ledger_transfers', 'id')) as id
      from customer_balances b where b.asset_id = 'USDC' limit ${people}
    ), paid as (
      insert into ledger_transfers (id, asset_id, kind, source_id) overriding system value
        select w.id, 'USDC', 'deposit', gen_random_uuid() from who w
    ), moved as (
      update customer_balances b set available_minor = available_minor + 100 from who w where b.available_account_id = w.account
    )
    insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
      select w.id, 1, 'USDC', ledger_house_account('USDC', 'custody_hot'), w.account, 100 from who w;
    reset session_replication_role`);
  await run('analyze ledger_entries');
  await run('analyze ledger_transfers');
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return Math.round(performance.now() - start);
}
