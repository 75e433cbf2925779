import { afterAll, beforeAll, expect, test } from 'vitest';
import { findWaitingApprovals } from '#server/approvals/find-waiting-approvals.ts';
import { findHaltedNetworks } from '#server/chain/find-halted-networks.ts';
import type { Database, Db, Statement } from '#server/db/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { closeBalances } from '#server/ledger/close-balances.ts';
import { findAdjustments } from '#server/ledger/find-adjustments.ts';
import { findTrialBalance } from '#server/ledger/find-trial-balance.ts';
import { findPairTerms } from '#server/limits/find-pair-terms.ts';
import { findTiers } from '#server/limits/find-tiers.ts';
import { findAudit } from '#server/operator/find-audit.ts';
import { findBooks } from '#server/operator/find-books.ts';
import { findCases } from '#server/operator/find-cases.ts';
import { findCustomers } from '#server/operator/find-customers.ts';
import { findDeadLetters } from '#server/operator/find-dead-letters.ts';
import { findDoubts } from '#server/operator/find-doubts.ts';
import { findFlow } from '#server/operator/find-flow.ts';
import { findOverview } from '#server/operator/find-overview.ts';
import { findPrevented } from '#server/operator/find-prevented.ts';
import { findSavedViews } from '#server/operator/saved-views.ts';
import { findPrices } from '#server/prices/find-prices.ts';
import { findDiscrepancyPage, findMode, findRuns } from '#server/reconciliation/find-reconciliation.ts';
import { acceptedTransitionSql } from '#server/sql/accepted-transition.sql.ts';
import { beginPollSql, gatheredBeginPollSql } from '#server/sql/begin-poll.sql.ts';
import { broadcastTransitionSql } from '#server/sql/broadcast-transition.sql.ts';
import { claimTransitionSql } from '#server/sql/claim-transition.sql.ts';
import { endPollSql, gatheredEndPollSql } from '#server/sql/end-poll.sql.ts';
import { gatheredAcceptedTransitionSql } from '#server/sql/gathered-accepted-transition.sql.ts';
import { gatheredBroadcastTransitionSql } from '#server/sql/gathered-broadcast-transition.sql.ts';
import { gatheredClaimTransitionSql } from '#server/sql/gathered-claim-transition.sql.ts';
import { findSwitches } from '#server/switches/find-switches.ts';
import { findAllWithdrawals } from '#server/withdrawals/find-all-withdrawals.ts';
import { findAssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import { findEvidence } from '#server/withdrawals/find-evidence.ts';
import { findWithdrawals } from '#server/withdrawals/find-withdrawals.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';
import { fillLists } from './fill-lists.test-support.ts';

// Enough that an index pays; a million, and the times with them, by PLAN_ROWS=1000000: then it takes about eight minutes, most of
// them for writing the rows (docs/observability/README.md).
const ROWS = Number(process.env.PLAN_ROWS ?? '20000');
/** What a page may take in the database, where there is a million to look through. */
const PAGE_WITHIN_MS = 100;
/** The middle one of so many is its time: one alone tells what else the machine did. */
const TIMES = 5;
/** The tables that were filled: none of them is ever read from end to end. */
let growing = new Set<string>();

let database: TestDatabase;
let asked: { statement: Statement; values: readonly unknown[] }[] = [];
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: `0x${'c0'.repeat(20)}`, USDT: null } });
  await fillLists(database, { rows: ROWS });
  const filled = await database.run<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples >= 1000`,
  );
  growing = new Set(filled.map(({ relname }) => relname));
  expect(growing.size).toBeGreaterThan(7);
  const query: Db['query'] = (statement, values) => {
    asked.push({ statement, values });
    return database.db.query(statement, values);
  };
  db = Object.create(database.db, { query: { value: query } });
}, 900_000);
afterAll(() => database.close());

const one = async (text: string) => Object.values((await database.run(text))[0] ?? {}).map(String)[0] ?? '';
const list = async (more: object) =>
  findAllWithdrawals(
    { db },
    {
      cursor: null,
      limit: 50,
      statuses: null,
      search: null,
      sort: 'newest',
      catalogue: await findAssetCatalogue(database),
      ...more,
    },
  );

const theirs = async (more: object) => {
  const filter = { statuses: null, asset: null, network: null, from: null, until: null, search: null };
  const customerId = await one('select customer_id from withdrawals group by 1 order by count(*) desc limit 1');
  return findWithdrawals({ db }, { customerId, cursor: null, limit: 50, ...filter, ...more });
};

/** Every look that the operators' pages and a customer's history take, with what finds nothing, something and much. */
const LOOKS: Readonly<Record<string, () => Promise<unknown>>> = {
  'the list, newest': () => list({}),
  'the list, newest, far down': async () =>
    list({ cursor: await one('select id from withdrawals order by requested_at, id offset 100 limit 1') }),
  'the list, worst first': () => list({ sort: 'worst_first' }),
  'the list, worst first, next page': async () =>
    list({ sort: 'worst_first', cursor: await one(`select id from withdrawals where status = 'queued' limit 1`) }),
  'the list of a rare status': () => list({ statuses: ['failed'] }),
  'the list of a common status': () => list({ statuses: ['completed', 'queued'] }),
  'what is stuck': () => list({ sort: 'worst_first', stuck: true }),
  'what failed since midnight': () => list({ failedSince: new Date(Date.now() - 86_400_000) }),
  'a search by id': async () => list({ search: await one('select id from withdrawals offset 77 limit 1') }),
  'a search by customer': async () => list({ search: await one('select customer_id from withdrawals limit 1') }),
  'a search by address, in capitals': async () =>
    list({ search: (await one('select address from withdrawals offset 55 limit 1')).toUpperCase() }),
  'a search by transaction': async () =>
    list({ search: await one('select transaction_hash from withdrawals where transaction_hash is not null limit 1') }),
  'a search by e-mail, and a status': () => list({ search: 'customer1', statuses: ['completed'] }),
  'a search by the domain of everybody': () => list({ search: '@plans.test' }),
  'a search that finds nothing': () => list({ search: 'nobody-was-ever-called-so' }),
  'a customer’s list': () => theirs({}),
  'a customer’s list, narrowed': () => theirs({ statuses: ['completed'], asset: 'USDC', network: 'ethereum' }),
  'a customer’s search by address': async () =>
    theirs({ search: (await one('select address from withdrawals offset 55 limit 1')).toUpperCase() }),
  'a customer’s search by id, and a status': async () =>
    theirs({ search: await one('select id from withdrawals offset 77 limit 1'), statuses: ['completed'] }),
  'the overview': () => findOverview({ db, room: undefined }),
  'the charts of a day': () => findFlow({ db }, { span: 'day' }),
  'the duplicates': () => findPrevented({ db }),
  'the doubts': () => findDoubts({ db }, { cursor: null, limit: 50, named: null }),
  'the doubts, next page, and one by name': async () => {
    const named = await one('select id from withdrawals where parked_at is not null limit 1');
    await findDoubts({ db }, { cursor: null, limit: 50, named });
    await findDoubts({ db }, { cursor: named, limit: 50, named });
  },
  'the dead letters': () => findDeadLetters({ db }, { cursor: null, limit: 50 }),
  'the dead letters, next page': async () => {
    const { nextCursor } = await findDeadLetters({ db }, { cursor: null, limit: 5 });
    await findDeadLetters({ db }, { cursor: nextCursor, limit: 50 });
  },
  'the cases': () => findCases({ db }, { cursor: null, limit: 50, open: true, named: null }),
  'a case by name': async () =>
    findCases({ db }, { cursor: null, limit: 50, open: true, named: await one('select gen_random_uuid()') }),
  'the approvals': () => findWaitingApprovals({ db }, { cursor: null, limit: 50 }),
  'the approvals, next page': async () =>
    findWaitingApprovals(
      { db },
      { cursor: await one(`select id from withdrawals where status = 'awaiting_approval' limit 1`), limit: 50 },
    ),
  'the adjustments': () => findAdjustments({ db }, { cursor: null, limit: 50 }),
  'the adjustments, next page': async () =>
    findAdjustments({ db }, { cursor: await one('select id from ledger_adjustments offset 40 limit 1'), limit: 50 }),
  'the trial balance': () => findTrialBalance({ db }),
  'the runs of the comparison': () => findRuns({ db }, { cursor: null, limit: 20 }),
  'the runs of the comparison, next page': async () =>
    findRuns({ db }, { cursor: await one('select id from reconciliation_runs offset 500 limit 1'), limit: 20 }),
  'whether we pay or only look': () => findMode({ db }),
  'the halted networks, with a proposal': () => findHaltedNetworks({ db, room: undefined }),
  'the terms': () => Promise.all([findTiers({ db }), findPrices({ db }), findPairTerms({ db })]),
  'the views that somebody keeps': async () =>
    findSavedViews({ db }, { userId: await one('select id from users limit 1') }),
  'the switches': () => findSwitches({ db }),
  'the findings': () => findDiscrepancyPage({ db }, { cursor: null, limit: 50, open: true }),
  'the customers': () => findCustomers({ db }, { cursor: null, limit: 50, search: null }),
  'the customers of a domain, next page': () =>
    findCustomers({ db }, { cursor: 'customer5@plans.test', limit: 50, search: 'plans.test' }),
  'a customer by e-mail': () => findCustomers({ db }, { cursor: null, limit: 50, search: 'customer12' }),
  'the audit': () => findAudit({ db }, { cursor: null, limit: 50, search: null }),
  'the audit of one subject': () => findAudit({ db }, { cursor: '5000', limit: 50, search: 'subject 7' }),
  'the audit of one person': () => findAudit({ db }, { cursor: null, limit: 50, search: 'customer12@plans.test' }),
  'one withdrawal': async () => findEvidence({ db }, { withdrawalId: await one('select id from withdrawals limit 1') }),
  'the three books of one': async () =>
    findBooks({ db, custody: null }, { withdrawalId: await one('select id from withdrawals limit 1') }),
};

/** Parts of a file, a thousand rows each: of a small table that is so much that reading all of it is right. */
const FILE_LOOKS: typeof LOOKS = {
  'a part of the file of everything': () => list({ limit: 1_000 }),
  'a part of the file of a status': () => list({ limit: 1_000, statuses: ['completed'] }),
  'a part of the file of a search': () => list({ limit: 1_000, search: 'customer1' }),
  'a part of the file of the audit': () => findAudit({ db }, { cursor: null, limit: 1_000, search: null }),
};

test.each(Object.entries(ROWS < 1_000_000 ? LOOKS : { ...LOOKS, ...FILE_LOOKS }))(
  '%s reads no growing table from end to end',
  async (_look, take) => {
    asked = [];
    await take();
    expect(asked.length).toBeGreaterThan(0);
    for (const { statement, values } of asked) {
      // A statement that is planned once for all values must not need their luck.
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        const plan = await explain(statement, values, mode);
        expect.soft({ statement: statement.name, mode, read: scansIn(plan.node) }).toMatchObject({ read: [] });
        if (ROWS >= 1_000_000) {
          process.stdout.write(`${statement.name} ${mode.slice(6, 13)} ${plan.ms.toFixed(1)} ms\n`);
          expect.soft(plan.ms, `${statement.name} ${mode}`).toBeLessThan(PAGE_WITHIN_MS);
        }
      }
    }
  },
);

// Nothing is under way when they are planned; a plan that reads all of it is kept for the hour in which much is.
test.each(
  Object.entries({
    claimTransitionSql,
    gatheredClaimTransitionSql,
    acceptedTransitionSql,
    gatheredAcceptedTransitionSql,
    broadcastTransitionSql,
    gatheredBroadcastTransitionSql,
    beginPollSql,
    gatheredBeginPollSql,
    endPollSql,
    gatheredEndPollSql,
  }),
)('%s finds its rows by id', async (_name, statement) => {
  const values = Math.max(...[...statement.text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)));
  const { node } = await explain(
    statement,
    Array.from({ length: values }, () => null),
    'force_generic_plan',
  );
  // Some find a row twice: to lock it, and to write it.
  expect([...new Set(withdrawalIndexesIn(node))]).toEqual(['withdrawals_pkey']);
});

test('the balances read of the entries those alone that no closing has summed up', async () => {
  await database.run(`
    set session_replication_role = replica;
    with t as (
      insert into ledger_transfers (asset_id, kind, source_id) select 'USDC', 'deposit', gen_random_uuid() from generate_series(1, 20000) returning id
    )
    insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
      select t.id, 1, 'USDC', ledger_house_account('USDC', 'custody_hot'), ledger_house_account('USDC', 'withdrawal_fees'), 100 from t;
    reset session_replication_role`);
  await database.run('analyze ledger_entries');
  const readByScan = () =>
    database.db.transaction(async (tx) => {
      const scanned = async () => {
        const scans = `select seq_tup_read::integer as rows from pg_stat_xact_user_tables where relname = 'ledger_entries'`;
        return (await tx.query<{ rows: number }>({ name: '', text: scans }, []))[0]?.rows ?? 0;
      };
      // A session counts what it read in the second before as well.
      const before = await scanned();
      const sums = { name: '', text: 'select sum(debits_minor)::text as debits from ledger_account_sums()' };
      const [sum] = await tx.query<{ debits: string }>(sums, []);
      return { debits: sum?.debits, rows: (await scanned()) - before };
    });
  const open = await readByScan();
  expect(open.rows).toBeGreaterThan(0);
  await closeBalances(database);
  expect(await readByScan()).toEqual({ debits: open.debits, rows: 0 });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** `enable_seqscan` stays as it is: what counts is what the planner chooses. */
async function explain(statement: Statement, values: readonly unknown[], mode: string) {
  const client = await database.connect();
  try {
    await client.query(`set plan_cache_mode = ${mode}`);
    const work = async () => {
      const analyze = ROWS >= 1_000_000 ? 'analyze, timing off,' : '';
      await client.query(`prepare looked_at as ${statement.text}`);
      const literals = values.map((value) => (value === null ? 'null' : literal(value))).join(', ');
      const call = values.length === 0 ? 'looked_at' : `looked_at(${literals})`;
      // The first run warms what a page that is looked at all day has warm.
      if (analyze !== '') await client.query(`execute ${call}`);
      const plans: { Plan: PlanNode; 'Execution Time'?: number }[] = [];
      while (plans.length < (analyze === '' ? 1 : TIMES)) {
        const { rows } = await client.query(`explain (${analyze} format json) execute ${call}`);
        plans.push(rows[0]['QUERY PLAN'][0]);
      }
      return plans.sort((a, b) => (a['Execution Time'] ?? 0) - (b['Execution Time'] ?? 0))[plans.length >> 1];
    };
    const plan = await work();
    if (plan === undefined) throw new Error('explained nothing');
    return { node: plan.Plan, ms: plan['Execution Time'] ?? 0 };
  } finally {
    await client.end();
  }
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
  return `'${String(value).replaceAll("'", "''")}'`;
}

function scansIn(node: PlanNode): string[] {
  const own =
    node['Node Type'] === 'Seq Scan' && growing.has(node['Relation Name'] ?? '') ? [node['Relation Name'] ?? ''] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansIn)];
}

function withdrawalIndexesIn(node: PlanNode): string[] {
  const name = node['Index Name'] ?? '';
  const own = node['Relation Name'] === 'withdrawals' && name !== '' ? [name] : [];
  return [...own, ...(node.Plans ?? []).flatMap(withdrawalIndexesIn)];
}
