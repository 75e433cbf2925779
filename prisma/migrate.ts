import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { MigrationDirectory } from '@prisma/schema-engine-wasm';
import pg from 'pg';

type Migration = { name: string; sql: string; checksum: string };

// Any number that nobody else locks. Prisma's own 72707369 belongs to the engine, which may ask for it while we wait.
const ADVISORY_LOCK = 5_210_417_001;

// True for prisma/migrate.ts and for its bundle in a build folder: both stand one step below the root.
const MIGRATIONS_FOLDER = join(import.meta.dirname, '..', 'prisma', 'migrations');

// The engine wants a schema to know the dialect from; nothing else of it matters for applying files.
const DIALECT: [string, string] = ['schema.prisma', 'datasource db {\n  provider = "postgresql"\n}\n'];

/**
 * Applies what prisma/migrations holds and the database has not seen, each migration once, in the order of its name.
 * Needs no internet: the engine is the WASM build of the one that `prisma migrate deploy` downloads, and keeps the same
 * `_prisma_migrations`. Several processes may start it at once; one works, the others wait and find nothing to do.
 *
 * @returns the names that were applied now
 * @throws when a migration fails, or one applied earlier was changed or is gone
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const migrations = readMigrations();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    // The engine costs a third of a second to load, and a start that has nothing to apply is the usual one.
    if (await isUpToDate(client, migrations)) return [];
    return await applyWithEngine(databaseUrl, migrations);
  } finally {
    await client.end(); // Ends the session, and the lock with it.
  }
}

function readMigrations(): Migration[] {
  if (!existsSync(MIGRATIONS_FOLDER)) throw new Error(`no migrations: ${MIGRATIONS_FOLDER} does not exist`);
  return readdirSync(MIGRATIONS_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(MIGRATIONS_FOLDER, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

async function isUpToDate(client: pg.Client, migrations: Migration[]): Promise<boolean> {
  const table = await client.query<{ found: boolean }>(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`);
  if (!table.rows[0]?.found) return false;
  // One that failed left nothing behind, see WholeScripts: it may be mended and tried again.
  await client.query(
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
  const applied = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  );
  const changed = applied.rows.find((row) =>
    migrations.some(({ name, checksum }) => name === row.migration_name && checksum !== row.checksum),
  );
  if (changed) {
    throw new Error(`${changed.migration_name} was changed after it was applied; add a new migration instead`);
  }
  const gone = applied.rows.find((row) => !migrations.some(({ name }) => name === row.migration_name));
  if (gone) throw new Error(`the database has ${gone.migration_name}, which is not in prisma/migrations`);
  return applied.rows.length === migrations.length;
}

async function applyWithEngine(databaseUrl: string, migrations: Migration[]): Promise<string[]> {
  const SchemaEngine = await loadEngine();
  const adapters = new WholeScripts({ connectionString: databaseUrl });
  const engine = await SchemaEngine.new(
    { datamodels: [DIALECT] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapters),
  );
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: {
        baseDir: MIGRATIONS_FOLDER,
        lockfile: { path: './migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: migrations.map(asEngineDirectory),
      },
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  } catch (error) {
    // The engine names the migration and hides what the database said.
    throw adapters.failed ? new Error(nameMigration(error, adapters.failed), { cause: adapters.failed }) : error;
  } finally {
    engine.free();
    await adapters.close();
  }
}

function nameMigration(engineError: unknown, failed: Error): string {
  const name = /migration_name="([^"]+)"/.exec(String(engineError))?.[1] ?? 'a migration';
  return `${name} failed: ${failed.message}`;
}

function asEngineDirectory({ name, sql }: Migration): MigrationDirectory {
  return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } } };
}

// Once a process: the package keeps one instance, and what a first one left to be freed would be freed in the second.
let engine: ReturnType<typeof instantiateEngine> | undefined;

function loadEngine() {
  engine ??= instantiateEngine();
  return engine;
}

/** The package imports its WASM file as a module, which Node 20 cannot: it is compiled and handed over here. */
async function instantiateEngine() {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const file = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm')
    .replace(/\.js$/, '_bg.wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(file), {
    './schema_engine_bg.js': glueImports(glue),
  });
  const { __wbg_set_wasm: handOver } = glue as unknown as { __wbg_set_wasm: (exports: WebAssembly.Exports) => void };
  handOver(instance.exports);
  const { __wbindgen_start: start } = instance.exports;
  if (typeof start === 'function') start();
  return glue.SchemaEngine;
}

function glueImports(glue: object): WebAssembly.ModuleImports {
  return { ...glue } as WebAssembly.ModuleImports;
}

/** The adapter splits scripts at each semicolon, which tears the body of every function apart. */
class WholeScripts extends PrismaPg {
  failed: Error | undefined;
  #disposals: (() => Promise<void>)[] = [];

  override async connect() {
    const adapter = await super.connect();
    this.#disposals.push(() => adapter.dispose());
    adapter.executeScript = async (script) => {
      try {
        // One message is one transaction: a script happens wholly or not at all.
        await adapter.underlyingDriver().query(script);
      } catch (error) {
        if (error instanceof Error) this.failed = error;
        throw error;
      }
    };
    return adapter;
  }

  /** The engine leaves its connections open. */
  async close(): Promise<void> {
    await Promise.all(this.#disposals.map((dispose) => dispose()));
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl) throw new Error('DATABASE_URL is missing');
  const applied = await migrate(databaseUrl);
  console.log(applied.length === 0 ? 'database is up to date' : `applied ${applied.join(', ')}`);
  // The engine forgets to clear the ten-second timer of its lock, which would keep this process that long.
  process.exit(0);
}
