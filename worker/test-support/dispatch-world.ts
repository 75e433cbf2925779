import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createCustodyBreaker } from '#server/custody/custody-breaker.ts';
import { createCustodyHttpClient } from '#server/custody/custody-http-client.ts';
import { openCustomer } from '#server/customers/open-customer.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { gatherStatements } from '#server/db/gather-statements.ts';
import { type ProtocolTimes, readProtocolTimes } from '#server/protocol-times.ts';
import { createWithdrawalClaims } from '#server/queue/withdrawal-claim.ts';
import { createWithdrawalQueue } from '#server/queue/withdrawal-queue.ts';
import { GATHERED_DISPATCH } from '#server/withdrawals/gathered-dispatch.ts';
import { waitUntil } from '#stack/wait-until.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';
import type { WorkerTools } from '../worker-tools.ts';
import { ScriptedCustody } from './scripted-custody.ts';

/** The token that tests withdraw, where no real chain is read. */
export const TEST_CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

export interface Requested {
  readonly withdrawalId: string;
  readonly key: string;
  readonly outboxId: bigint;
}

export interface DispatchWorld {
  readonly db: Database;
  readonly custody: ScriptedCustody;
  readonly tools: WorkerTools;
  readonly redis: Redis;
  readonly redisUrl: string;
  readonly customerId: string;
  request(options?: {
    amountMinor?: bigint;
    address?: string;
    asset?: string;
    network?: string;
    memo?: string | null;
  }): Promise<Requested>;
  row(withdrawalId: string): Promise<Record<string, unknown>>;
  rows(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** One withdrawal that custody accepted before all others: the control of every later look-up. */
  seedControl(): Promise<void>;
  /** The database's clock. */
  now(): Promise<Date>;
  /** Makes a row's time come now. */
  makeDue(withdrawalId: string): Promise<void>;
  /** Lets the database's clock run ahead. */
  advanceClock(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** A database of its own, a Redis that is emptied, and a provider that does what the test says. */
export async function createDispatchWorld(
  options: { times?: Partial<ProtocolTimes>; contract?: string; redisUrl?: string; redisDatabase?: number } = {},
): Promise<DispatchWorld> {
  const adminUrl = process.env.TEST_DATABASE_URL ?? '';
  const name = `dispatch_${randomUUID().replaceAll('-', '')}`;
  await copyTemplate(adminUrl, name);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const db = createDatabase({ url: url.href, max: 10, applicationName: 'test', onError: () => undefined });
  await seed({ db }, { demoMode: false, contracts: { USDC: options.contract ?? TEST_CONTRACT, USDT: null } });
  // As behind a worker that has walked custody's list, however far a test moves the clock.
  await db.query(
    {
      name: '',
      text: `update protocol_settings set clock_movable = true, alive_at = 'infinity', alive_in = server_life()`,
    },
    [],
  );
  const customerId = await openFundedCustomer(db);

  const custody = new ScriptedCustody();
  await custody.start();
  const redisUrl = withRedisDatabase(options.redisUrl ?? process.env.TEST_REDIS_URL ?? '', options.redisDatabase ?? 0);
  const redis = new Redis(redisUrl);
  // Some tests take their Redis away, which is no news to them.
  redis.on('error', () => undefined);
  await redis.flushdb();
  const times = { ...readProtocolTimes('proof'), ...options.times };
  const queue = createWithdrawalQueue({ redisUrl, deadlineMs: times.redisDeadlineMs });
  const client = createCustodyHttpClient({ url: custody.url, apiKey: 'test', timeoutMs: times.custodyTimeoutMs });
  const tools: WorkerTools = {
    // As in a busy worker: one is answered by the statement for many, too.
    db: gatherStatements(db, GATHERED_DISPATCH, { togetherFrom: 1 }),
    queue,
    claims: createWithdrawalClaims(queue.redis, times),
    custody: client,
    breaker: createCustodyBreaker(times),
    times,
    chains: [],
  };
  const rows = (text: string, values: readonly unknown[] = []) =>
    db.query<Record<string, unknown>>({ name: '', text }, values);

  const world: DispatchWorld = {
    db,
    custody,
    tools,
    redis,
    redisUrl,
    customerId,
    rows,
    async request(options = {}) {
      const { amountMinor = 25_000_000n, address = randomAddress(), asset = 'USDC' } = options;
      const { network = 'ethereum', memo = null } = options;
      const key = randomUUID();
      const withdrawalId = randomUUID();
      const values = [withdrawalId, key, customerId, asset, network, address, memo, amountMinor.toString()];
      const [row] = await rows(REQUEST, values);
      if (row?.outcome !== 'new' || row.outbox_id === null)
        throw new Error(`the request was not accepted: ${JSON.stringify(row)}`);
      return { withdrawalId, key, outboxId: BigInt(String(row.outbox_id)) };
    },
    async row(withdrawalId) {
      const [row] = await rows('select * from withdrawals where id = $1', [withdrawalId]);
      if (row === undefined) throw new Error('no such withdrawal');
      return row;
    },
    async seedControl() {
      const { withdrawalId } = await world.request({ amountMinor: 1_111_111n });
      const { processWithdrawal } = await import('../processors/withdrawal-processor.ts');
      await processWithdrawal(tools, { withdrawalId });
      // Long enough ago to be older than any attempt that follows.
      await world.advanceClock(1_000);
      custody.creates.length = 0;
    },
    async now() {
      const [row] = await db.query<{ now: Date }>({ name: '', text: 'select protocol_now() as now' }, []);
      if (row === undefined) throw new Error('a database without a clock');
      return row.now;
    },
    async makeDue(withdrawalId) {
      await rows('update withdrawals set next_action_at = protocol_now() where id = $1', [withdrawalId]);
    },
    async advanceClock(ms) {
      await rows(`update protocol_settings set clock_offset = clock_offset + $1::float8 * interval '1 millisecond'`, [
        ms,
      ]);
      custody.clockOffsetMs += ms;
    },
    async close() {
      client.close();
      await queue.close();
      redis.disconnect();
      await db.close();
      await custody.stop();
      await runAdmin(adminUrl, `drop database ${name} with (force)`);
    },
  };
  return world;
}

const REQUEST = `
  select r.outcome, r.outbox_id, (r.w).refusal_code from request_withdrawal($1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8::numeric,
    (select fee_minor from asset_networks where asset_id = $4 and network_id = $5), 'on_top', null, false, null, null, 1000) r`;

/** A new one each time: a second withdrawal of the same amount to the same address is a look-alike. */
function randomAddress(): string {
  return `0x${randomBytes(20).toString('hex')}`;
}

async function openFundedCustomer(db: Database): Promise<string> {
  const customerId = randomUUID();
  const run = (text: string, values: readonly unknown[]) => db.query({ name: '', text }, values);
  await run(`insert into users (id, name, email) values ($1::uuid, 'Test', $1::uuid::text || '@example.test')`, [
    customerId,
  ]);
  await openCustomer({ db }, { userId: customerId });
  for (const asset of ['USDC', 'ETH']) {
    await run(
      `with t as (insert into ledger_transfers (asset_id, kind, source_id) values ($2, 'opening', gen_random_uuid()) returning id)
       insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
       select t.id, 1, $2, ledger_house_account($2, 'custody_hot'), b.available_account_id, 1000000000000000000000
       from t, customer_balances b where b.customer_id = $1 and b.asset_id = $2`,
      [customerId, asset],
    );
  }
  return customerId;
}

function withRedisDatabase(url: string, database: number): string {
  const parsed = new URL(url);
  parsed.pathname = `/${database}`;
  return parsed.href;
}

const MIGRATIONS = join(import.meta.dirname, '../../prisma/migrations');

/** Migrations cost a second, a copy of their result a tenth: they are applied once for each set of files. */
async function copyTemplate(adminUrl: string, name: string): Promise<void> {
  const folders = readdirSync(MIGRATIONS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = folders.map((folder) => readFileSync(join(MIGRATIONS, folder.name, 'migration.sql')));
  const template = `dispatch_template_${createHash('sha256').update(Buffer.concat(files)).digest('hex').slice(0, 16)}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(25000)');
    const known = await admin.query('select 1 from pg_database where datname = $1', [template]);
    if (known.rows.length === 0) {
      const building = `${template}_building`;
      await admin.query(`drop database if exists ${building} with (force)`);
      await admin.query(`create database ${building}`);
      const url = new URL(adminUrl);
      url.pathname = `/${building}`;
      await migrate(url.href);
      await admin.query(`alter database ${building} rename to ${template}`);
    }
    await admin.query(`create database ${name} template ${template}`);
  } finally {
    await admin.end();
  }
}

async function runAdmin(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Waits for a condition, by asking again. @throws Error at the deadline */
export async function until(what: string, isTrue: () => Promise<boolean>, deadlineMs = 15_000): Promise<void> {
  await waitUntil(isTrue, { what: `not in time: ${what}`, withinMs: deadlineMs });
}
