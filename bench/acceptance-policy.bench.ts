import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../prisma/migrate.ts';
import { seed } from '../prisma/seed.ts';

/**
 * What limits and policy cost, in turns, on the same customers and in the same database: the accepting call with everything
 * (`policy`) beside the same call that counts nothing and keeps no rolling sums (`bare`). All variants commit, and write history,
 * hold, outbox and notice. `busy` is the call with everything for customers who asked ten thousand times in the last thirty days;
 * `first` is the function of the first migration, which knew neither policy nor many requests at once. Beside the time that passes
 * stands the processor's time of the session in Postgres, which other work on the machine changes less.
 *
 * Run: TEST_DATABASE_URL=… npx tsx bench/acceptance-policy.bench.ts
 */
const CUSTOMERS = 20;
const ROUNDS = 12;
const REQUESTS_A_ROUND = 150;
const BUSY_CUSTOMERS = 3;
const BUSY_HISTORY = 10_000;
/** What a customer asked for in the last thirty days, before the first measured request. */
const HISTORY = 60;
const RATIO_MAX = 1.3;
const VARIANTS = ['bare', 'policy', 'busy', 'first'] as const;

const ASKED = `$1, $2, $3, 'USDC', 'ethereum', $4, null, 1000000, 500000, 'on_top', null, false, null, null, 50`;
const WITH_POLICY = `select r.outcome, (r.w).id from request_withdrawal(${ASKED}, true, 150000000, '{}') r`;
const TEXTS = {
  bare: `select r.outcome, (r.w).id from request_withdrawal(${ASKED}, false, 150000000, '{}') r`,
  policy: WITH_POLICY,
  busy: WITH_POLICY,
  first: `select r.outcome, (r.w).id from request_withdrawal_bare(${ASKED}) r`,
};

const database = await createTestDatabase({ migrate, max: 4 });
/** One session for all that is measured, so that its processor's time is that of the calls. */
const db = database.open({ max: 1 });
let sessionPid = 0;
try {
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  await createBare(database);
  const customers = await openCustomers(database, CUSTOMERS);
  const busy = await openCustomers(database, BUSY_CUSTOMERS);
  for (const id of busy) await giveHistory(database, id);
  await database.run('vacuum analyze');
  const people: Record<Variant, readonly string[]> = { bare: customers, policy: customers, busy, first: customers };
  const times: Record<Variant, Sample[]> = { bare: [], policy: [], busy: [], first: [] };
  for (const variant of VARIANTS) await measure(variant, people[variant]);
  for (let round = 0; round < ROUNDS; round += 1) {
    // Whoever goes first changes, so that neither always finds the warmer house.
    const order = round % 2 === 0 ? VARIANTS : VARIANTS.toReversed();
    for (const variant of order) times[variant].push(...(await measure(variant, people[variant])));
  }
  const [bare, policy, afterHistory, first] = [times.bare, times.policy, times.busy, times.first].map(summary);
  if (!bare || !policy || !afterHistory || !first) throw new Error('four variants were measured');
  const ratio = policy.median / bare.median;
  const historyRatio = round3(afterHistory.median / policy.median);
  const [cpuRatio, historyCpuRatio] = [policy.cpu / bare.cpu, afterHistory.cpu / policy.cpu].map(round3);
  console.log(
    JSON.stringify({
      bench: 'acceptance-policy',
      unit: 'ms',
      bare,
      policy,
      ratio: round3(ratio),
      ratioMax: RATIO_MAX,
      afterTenThousandInThirtyDays: afterHistory,
      historyRatio,
      cpuRatio,
      firstMigration: first,
      historyCpuRatio,
    }),
  );
  if (ratio > RATIO_MAX) process.exitCode = 1;
} finally {
  await database.close();
}

type Variant = (typeof VARIANTS)[number];
/** Milliseconds: that passed, and that the session's process was on a processor. */
type Sample = { readonly passed: number; readonly cpu: number };

/** The first migration's function under another name. */
async function createBare(database: TestDatabase): Promise<void> {
  const file = join(
    import.meta.dirname,
    '..',
    'prisma',
    'migrations',
    '20261130000000_first_withdrawal',
    'migration.sql',
  );
  const sql = readFileSync(file, 'utf8');
  const start = sql.indexOf('create function request_withdrawal(');
  const end = sql.indexOf('end $$;', start) + 'end $$;'.length;
  await database.run(
    sql.slice(start, end).replace('function request_withdrawal(', 'function request_withdrawal_bare('),
  );
}

async function openCustomers(database: TestDatabase, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const { openCustomer } = await import('#server/customers/open-customer.ts');
  for (const id of ids) {
    await database.run(`insert into users (id, name, email) values ($1::uuid, 'Bench', $1::uuid || '@bench.test')`, [
      id,
    ]);
    await openCustomer(database, { userId: id, tier: 'institution' });
    await database.run(
      `with t as (insert into ledger_transfers (asset_id, kind, source_id) values ('USDC', 'deposit', gen_random_uuid()) returning id)
       insert into ledger_entries select t.id, 1, 'USDC', ledger_house_account('USDC', 'custody_hot'), b.available_account_id, 1000000000000
       from t, customer_balances b where b.customer_id = $1 and b.asset_id = 'USDC'`,
      [id],
    );
    await database.run(
      `select count(*) from generate_series(1, ${HISTORY}) g, request_withdrawal(gen_random_uuid(), gen_random_uuid(), $1, 'USDC', 'ethereum',
         '0x' || md5(g::text), null, 1000000, 500000, 'on_top', null, false, null, null, 100000, true, 150000000, '{}')`,
      [id],
    );
  }
  return ids;
}

/** Ten thousand requests, evenly over thirty days. Loaded without guards: one by one they take minutes. */
async function giveHistory(database: TestDatabase, id: string): Promise<void> {
  await database.run(`
    set session_replication_role = replica;
    insert into withdrawals (id, idempotency_key, customer_id, asset_id, network_id, address, amount_minor, fee_minor, total_minor, fee_mode,
        status, confirmations_required, value_reference_minor, approvals_required, requested_at, next_action_at, status_since, updated_at)
      select gen_random_uuid(), gen_random_uuid(), '${id}', 'USDC', 'ethereum', '0x' || g, 1, 1, 2, 'on_top', 'queued', 12, 1, 0, t, t, t, t
      from generate_series(1, ${BUSY_HISTORY}) g, lateral (select protocol_now() - interval '2 hours' - g * interval '30 days' / ${BUSY_HISTORY} as t) x;
    insert into withdrawal_usage as u
      select customer_id, asset_id, s.hours, usage_span(requested_at, s.hours), sum(value_reference_minor), sum(total_minor), count(*)
      from withdrawals cross join (values (1), (24)) s(hours) where customer_id = '${id}' and total_minor = 2 group by 1, 2, 3, 4
      on conflict (customer_id, span_hours, begins_at, asset_id) do update set value_reference_minor = u.value_reference_minor + excluded.value_reference_minor,
        total_minor = u.total_minor + excluded.total_minor, requests = u.requests + excluded.requests;
    set session_replication_role = origin`);
}

async function measure(variant: Variant, customers: readonly string[]): Promise<Sample[]> {
  const text = TEXTS[variant];
  // What it costs to keep the sums is part of what limits cost.
  await database.run(
    `alter table ledger_transfers ${variant === 'bare' || variant === 'first' ? 'disable' : 'enable'} trigger ledger_transfers_count_usage`,
  );
  // The pool may have opened another session since the last round.
  const [session] = await db.query<{ pid: number }>({ name: '', text: 'select pg_backend_pid() as pid' }, []);
  sessionPid = session?.pid ?? 0;
  const samples: Sample[] = [];
  for (let turn = 0; turn < REQUESTS_A_ROUND; turn += 1) {
    const values = [randomUUID(), randomUUID(), customers[turn % customers.length], `0x${randomUUID()}`];
    const [start, cpuStart] = [performance.now(), readCpuMs()];
    const [row] = await db.query<{ outcome: string }>({ name: `bench_${variant}`, text }, values);
    samples.push({ passed: performance.now() - start, cpu: readCpuMs() - cpuStart });
    if (row?.outcome !== 'new') throw new Error(`not accepted: ${row?.outcome}`);
  }
  return samples;
}

/** Of the session's process, from Linux; zero where it cannot be read. */
function readCpuMs(): number {
  const file = `/proc/${sessionPid}/schedstat`;
  if (!existsSync(file)) return 0;
  const [onProcessorNs = '0'] = readFileSync(file, 'utf8').split(' ');
  return Number(onProcessorNs) / 1e6;
}

function summary(samples: readonly Sample[]): { median: number; p95: number; cpu: number; requests: number } {
  const at = (share: number, of: (sample: Sample) => number) => {
    const sorted = samples.map(of).sort((left, right) => left - right);
    return round3(sorted[Math.floor(sorted.length * share)] ?? 0);
  };
  const passed = (sample: Sample) => sample.passed;
  return {
    median: at(0.5, passed),
    p95: at(0.95, passed),
    cpu: at(0.5, (sample) => sample.cpu),
    requests: samples.length,
  };
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000;
}
