import pg from 'pg';
import type { ProofWorld } from '../proof-world.ts';

/** Keeps a copy of our database as it is now, as a backup does. Nobody of ours may be connected. */
export function copyDatabase(world: ProofWorld): Promise<void> {
  return administer(world, (name, owner) => [
    `drop database if exists ${name}_copy`,
    `create database ${name}_copy template ${name} owner ${owner}`,
  ]);
}

/** Puts the copy in the place of our database; what was written since it was taken is gone. */
export function restoreDatabase(world: ProofWorld): Promise<void> {
  return administer(world, (name) => [
    `alter database ${name} rename to ${name}_lost`,
    `alter database ${name}_copy rename to ${name}`,
    `drop database ${name}_lost with (force)`,
  ]);
}

async function administer(world: ProofWorld, statements: (name: string, owner: string) => readonly string[]) {
  const own = new URL(world.stack.urls.database);
  const admin = new URL(world.stack.urls.adminDatabase ?? world.stack.urls.database);
  const name = own.pathname.slice(1);
  admin.pathname = '/postgres';
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  try {
    for (const statement of statements(client.escapeIdentifier(name).slice(1, -1), own.username)) {
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}
