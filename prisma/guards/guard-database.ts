import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { HOUSE } from './house.ts';

const MIGRATIONS_FOLDER = join(import.meta.dirname, '..', 'migrations');

/** A database that one file of tests has to itself, with every migration applied and a small house in it. */
export interface GuardDatabase {
  /** Sessions of the superuser who owns the tables: what these tests fear is not a customer but a script with every right. */
  readonly pool: pg.Pool;
  drop(): Promise<void>;
}

/**
 * Creates the database beside the one that TEST_DATABASE_URL names, whose user must be a superuser.
 *
 * @throws when TEST_DATABASE_URL is missing, because a guard that was not tried is not known to hold
 */
export async function createGuardDatabase(): Promise<GuardDatabase> {
  const adminUrl = process.env.TEST_DATABASE_URL;
  if (!adminUrl) throw new Error('TEST_DATABASE_URL is missing: the URL of a superuser of a real Postgres');
  const name = `guards_${randomUUID().replaceAll('-', '')}`;
  await runAsAdmin(adminUrl, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 50 });
  // A session that the drop below ends while it is idle is no failure.
  pool.on('error', () => undefined);
  for (const sql of [...readMigrations(), HOUSE]) await pool.query(sql);
  return {
    pool,
    drop: async () => {
      await pool.end();
      await runAsAdmin(adminUrl, `drop database ${name} with (force)`);
    },
  };
}

function readMigrations(): string[] {
  return readdirSync(MIGRATIONS_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => readFileSync(join(MIGRATIONS_FOLDER, name, 'migration.sql'), 'utf8'));
}

async function runAsAdmin(adminUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
