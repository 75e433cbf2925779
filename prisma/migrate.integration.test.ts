import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from './migrate.ts';

const adminUrl = process.env.TEST_DATABASE_URL ?? '';
let databaseUrl: string;
let database: string;
let client: pg.Client;

beforeEach(async () => {
  database = `migrate_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${database}`);
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  databaseUrl = url.href;
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await asAdmin(`DROP DATABASE ${database} WITH (FORCE)`);
});

test('an empty database gets every migration, and the second run finds nothing to do', async () => {
  const applied = await migrate(databaseUrl);
  expect(applied.length).toBeGreaterThan(0);
  expect(await migrate(databaseUrl)).toEqual([]);
  const recorded = await client.query('SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL');
  expect(recorded.rows.map((row) => row.migration_name).sort()).toEqual(applied);
});

test('DB17: of several that start at once one applies them and the others wait', async () => {
  const runs = await Promise.all([migrate(databaseUrl), migrate(databaseUrl), migrate(databaseUrl)]);
  expect(runs.filter((applied) => applied.length > 0)).toHaveLength(1);
});

test('a migration that was changed after it was applied is refused by name', async () => {
  const [first] = await migrate(databaseUrl);
  await client.query("UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name = $1", [first]);
  await expect(migrate(databaseUrl)).rejects.toThrow(`${first} was changed after it was applied`);
});

test('a database from a newer version is refused', async () => {
  await migrate(databaseUrl);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '9999_later', now())`,
  );
  await expect(migrate(databaseUrl)).rejects.toThrow('9999_later, which is not in prisma/migrations');
});

test('DB17: a migration that failed half way is tried again', async () => {
  const [first] = await migrate(databaseUrl);
  // What a crash leaves: a row that never finished, and nothing of the script.
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await client.query(`CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL,
    finished_at timestamptz, migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
  await client.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', $1)`, [first]);
  expect((await migrate(databaseUrl))[0]).toBe(first);
});

async function asAdmin(sql: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(sql);
  await admin.end();
}
