import { existsSync, readdirSync } from 'node:fs';
import type { Db, Statement } from '#server/db/database.ts';

/**
 * What is wrong with this database for money, in words; empty when all is well. "Committed" must mean on disk, and the
 * schema must be the one this build was made for.
 *
 * @param input.migrationsFolder the folder of migrations that came with this build
 */
export async function checkDatabase(deps: { db: Db }, input: { migrationsFolder: string }): Promise<readonly string[]> {
  const [row] = await deps.db.query<SettingsRow>(findSettingsSql, []);
  const problems = [
    ...(row?.fsync === 'on' ? [] : ['fsync is off: a power cut would forget accepted withdrawals']),
    ...(row?.synchronous_commit === 'off'
      ? ['synchronous_commit is off: a crash would forget accepted withdrawals']
      : []),
    ...(row?.full_page_writes === 'on' ? [] : ['full_page_writes is off: a power cut would tear pages']),
  ];
  if (row?.has_migrations !== true) return [...problems, 'no migration was ever applied: run the migrations first'];
  const applied = await deps.db.query<{ migration_name: string }>(findMigrationsSql, []);
  const names = new Set(applied.map((migration) => migration.migration_name));
  const missing = readMigrationNames(input.migrationsFolder).filter((name) => !names.has(name));
  return missing.length === 0 ? problems : [...problems, `migrations are not applied: ${missing.join(', ')}`];
}

function readMigrationNames(folder: string): readonly string[] {
  if (!existsSync(folder)) throw new Error(`there is no folder of migrations at ${folder}`);
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

interface SettingsRow {
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly full_page_writes: string;
  readonly has_migrations: boolean;
}

const findSettingsSql: Statement = {
  name: 'find_settings',
  text: `
    select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('full_page_writes') as full_page_writes, to_regclass('_prisma_migrations') is not null as has_migrations`,
};

const findMigrationsSql: Statement = {
  name: 'find_migrations',
  text: `select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null`,
};
