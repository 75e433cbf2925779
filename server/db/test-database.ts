import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createDatabase, type Database, type DatabaseOptions } from '#server/db/database.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Another pool on the same database, closed with it. */
  open(options?: Partial<DatabaseOptions>): Database;
  /** Runs a statement beside the pool, for looking and for arranging. */
  run<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A session of its own, for holding locks; the caller ends it. */
  connect(): Promise<pg.Client>;
  close(): Promise<void>;
}

/**
 * A database of its own for one test file, on the Postgres that TEST_DATABASE_URL names (as its superuser).
 *
 * @param input.migrate what `prisma/migrate.ts` exports; null leaves the database empty
 */
export async function createTestDatabase(input: {
  migrate: ((databaseUrl: string) => Promise<unknown>) | null;
  max?: number;
}): Promise<TestDatabase> {
  const adminUrl = process.env.TEST_DATABASE_URL;
  if (!adminUrl) throw new Error('TEST_DATABASE_URL is missing: the URL of a Postgres, as its superuser');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOn(adminUrl, `create database ${name}`, []);
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  if (input.migrate !== null) {
    await input.migrate(url);
    // As behind a worker that has walked custody's list.
    await runOn(url, `update protocol_settings set alive_at = 'infinity', alive_in = server_life()`, []);
  }
  const pools: Database[] = [];
  const open = (options: Partial<DatabaseOptions> = {}) => {
    const pool = createDatabase({ url, max: input.max ?? 10, applicationName: 'cryptoex-test', ...options });
    pools.push(pool);
    return pool;
  };
  return {
    url,
    db: open(),
    open,
    run: (text, values = []) => runOn(url, text, values),
    connect: async () => {
      const client = new pg.Client({ connectionString: url });
      // Some tests end its session on purpose.
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close()));
      await runOn(adminUrl, `drop database ${name} with (force)`, []);
    },
  };
}

async function runOn<Row extends object>(url: string, text: string, values: readonly unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
