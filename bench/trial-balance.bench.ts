import { createTestDatabase } from '#server/db/test-database.ts';
import { closeBalances } from '#server/ledger/close-balances.ts';
import { findTrialBalance } from '#server/ledger/find-trial-balance.ts';
import { verifyLedger } from '#server/ledger/verify-ledger.ts';
import { migrate } from '../prisma/migrate.ts';
import { seed } from '../prisma/seed.ts';

/**
 * The trial balance over a million entries, none of them closed; then with all of them closed, and again with as many more:
 * what is closed must cost nothing.
 *
 * Run: TEST_DATABASE_URL=… npx tsx bench/trial-balance.bench.ts
 */
const ENTRIES = 1_000_000;
/** So many at a time, so that one statement takes seconds and a slow disk is no time-out. */
const CHUNK = 100_000;
const TIME_MAX_MS = 2_000;

const database = await createTestDatabase({ migrate, max: 2 });
const db = database.open({ queryTimeoutMs: 600_000 });
const deps = { db };
try {
  await seed({ db: database.db }, { demoMode: true, contracts: { USDC: null, USDT: null } });
  await book();
  const open = await time(() => findTrialBalance(deps));
  const closing = await time(() => closeBalances(deps));
  const closed = await time(() => findTrialBalance(deps));
  await book();
  await closeBalances(deps);
  const closedTwice = await time(() => findTrialBalance(deps));
  const verify = await time(() => verifyLedger(deps, { deep: false }));
  console.log(
    JSON.stringify({
      bench: 'trial-balance',
      unit: 'ms',
      entries: ENTRIES,
      open,
      closing,
      closed,
      closedTwiceAsMuch: closedTwice,
      verify,
    }),
  );
  if (open > TIME_MAX_MS) process.exitCode = 1;
} finally {
  await database.close();
}

/** Half of the entries go one way and half the other. Loaded without guards: a million of them, one by one, take minutes. */
async function book(): Promise<void> {
  for (let booked = 0; booked < ENTRIES; booked += CHUNK) await bookChunk();
  await database.run('vacuum (analyze) ledger_entries');
}

async function bookChunk(): Promise<void> {
  await database.run(`
    set session_replication_role = replica;
    with t as (insert into ledger_transfers (asset_id, kind, source_id) select 'USDC', 'deposit', gen_random_uuid() from generate_series(1, ${CHUNK}) returning id),
      c as (select b.available_account_id as a, ledger_house_account('USDC', 'custody_hot') as h from customer_balances b where b.asset_id = 'USDC' limit 1)
    insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
      select t.id, 1, 'USDC', case when t.id % 2 = 0 then c.a else c.h end, case when t.id % 2 = 0 then c.h else c.a end, 100 from t, c`);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return Math.round(performance.now() - start);
}
