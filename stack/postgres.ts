import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Life } from './life.mjs';
import { findPostgresHome, type PostgresHome } from './postgres-home.ts';
import type { ProcessSpec } from './processes.ts';
import { runCommand } from './run-command.mjs';

export type Cluster = { name: string; home: PostgresHome; port: number; password: string };
/** A role and the database it owns; nobody else may connect to it. */
export type OwnedDatabase = { database: string; password: string };

// The defaults are for a machine of its own; this one shares two cores with a browser. What makes a commit durable
// (fsync, synchronous_commit, full_page_writes) stays as it is: the product refuses to start without.
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '64MB',
  // web, workers and custody hold up to 16 each; tests start several of them.
  max_connections: '200',
  max_wal_size: '512MB',
  // One process less to keep per job: no parallel plans, no JIT, no separate readers.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * Makes the cluster's files at the first call.
 *
 * @param input.dataFolder where the cluster lives, unless the machine forces another place
 */
export async function preparePostgres(
  deps: { life: Life; log: (line: string) => void },
  input: { name: string; dataFolder: string; port: number; password: string },
): Promise<Cluster> {
  const home = await findPostgresHome(deps, { dataFolder: input.dataFolder });
  const cluster: Cluster = { name: input.name, home, port: input.port, password: input.password };
  if (existsSync(home.dataFolder)) return cluster;
  // Built beside and renamed: a start that was stopped half way leaves nothing that looks like a cluster.
  const unfinished = `${home.dataFolder}.new`;
  const passwordFile = `${home.dataFolder}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  home.makeFolder(unfinished);
  writeFileSync(passwordFile, input.password, { mode: 0o600 });
  home.giveAway(passwordFile);
  const locale = ['--auth=scram-sha-256', '--locale=C', '--encoding=UTF8'];
  const args = ['-D', unfinished, '-U', 'postgres', `--pwfile=${passwordFile}`, ...locale];
  await runCommand(deps, home.asOrdinaryUser(join(home.binFolder, 'initdb'), args));
  rmSync(passwordFile);
  renameSync(unfinished, home.dataFolder);
  return cluster;
}

/** How the cluster is run. SIGINT is Postgres' fast shutdown: sessions are cut, everything is written. */
export function postgresSpec(cluster: Cluster): ProcessSpec {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', cluster.home.dataFolder, '-p', String(cluster.port), ...settings];
  return {
    name: cluster.name,
    ...cluster.home.asOrdinaryUser(join(cluster.home.binFolder, 'postgres'), args),
    env: { PATH: process.env.PATH, LANG: 'C' },
    stopSignal: 'SIGINT',
    stopWithinMs: 20_000,
    isReady: () => answers(adminUrl(cluster)),
    // After a kill -9 it replays its log first.
    readyWithinMs: 60_000,
  };
}

/** The superuser's address. */
export function adminUrl(cluster: Cluster, database = 'postgres'): string {
  return `postgresql://postgres:${cluster.password}@127.0.0.1:${cluster.port}/${database}`;
}

/** The address of a role and the database of the same name. */
export function ownedUrl(cluster: Cluster, { database, password }: OwnedDatabase): string {
  return `postgresql://${database}:${password}@127.0.0.1:${cluster.port}/${database}`;
}

/** Makes a role and a database of the same name where they are missing. */
export async function createOwnedDatabase(cluster: Cluster, { database, password }: OwnedDatabase): Promise<void> {
  await withAdmin(adminUrl(cluster), async (admin) => {
    const name = admin.escapeIdentifier(database);
    const known = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [database]);
    if (known.rowCount === 0) {
      await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD ${admin.escapeLiteral(password)}`);
    }
    await createDatabase(admin, { database, owner: name });
    await admin.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
  });
}

/**
 * Makes a database on a server that was given to us, beside the one its address names.
 *
 * @returns the new database's address
 */
export async function createSiblingDatabase(databaseUrl: string, database: string): Promise<string> {
  await withAdmin(databaseUrl, (client) => createDatabase(client, { database }));
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function createDatabase(client: pg.Client, input: { database: string; owner?: string }): Promise<void> {
  const known = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [input.database]);
  if (known.rowCount !== 0) return;
  const owner = input.owner ? ` OWNER ${input.owner}` : '';
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(input.database)}${owner}`);
}

async function withAdmin(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** A server answers at this address. */
async function answers(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined); // A server that stops just now; the answer is below.
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
