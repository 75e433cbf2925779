import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGuardDatabase, type GuardDatabase } from './guard-database.ts';

const FOLDER = import.meta.dirname;
const THIS_FILE = 'every-guard.integration.test.ts';

let database: GuardDatabase;
beforeAll(async () => {
  database = await createGuardDatabase();
});
afterAll(() => database.drop());

/** Every name by which this database refuses something: constraints and indexes that we named, and what our triggers raise. */
async function findGuards(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(`
    select conname as name from pg_constraint
      where connamespace = 'public'::regnamespace and contype in ('c', 'u', 'x', 'f') and conname !~ '_fkey$'
    union select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace and i.indisunique and not i.indisprimary
    union select m[1] from pg_proc p, regexp_matches(p.prosrc, 'constraint = ''([a-z_]+)''', 'g') m where p.pronamespace = 'public'::regnamespace
    union select m[1] from pg_proc p, regexp_matches(p.prosrc, '(?:then|else) ''((?:withdrawals|approvals|cases|custody_statements)_[a-z_]+)''', 'g') m where p.pronamespace = 'public'::regnamespace
    union select convert_from(substring(tgargs from 1 for length(tgargs) - 1), 'utf8') from pg_trigger where tgnargs > 0 and not tgisinternal
    order by 1`);
  return rows.map(({ name }) => name);
}

it('every guard of the database has a line in docs/invariants.md and a test that tries to break it', async () => {
  const invariants = readFileSync(join(FOLDER, '..', '..', 'docs', 'invariants.md'), 'utf8');
  const tests = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.integration.test.ts') && file !== THIS_FILE)
    .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
    .join('\n');
  const guards = await findGuards();
  expect(guards.length).toBeGreaterThan(80);
  expect(guards.filter((guard) => !invariants.includes(`\`${guard}\``))).toEqual([]);
  expect(guards.filter((guard) => !tests.includes(guard))).toEqual([]);
});

// By `comment on`, where `\\dd` of psql shows it; what only a function raises has a line with the function.
it('every guard says in the database itself why it is there', async () => {
  const { rows } = await database.pool.query<{ name: string; comment: string | null }>(`
    select conname as name, obj_description(oid, 'pg_constraint') as comment from pg_constraint
    union all select relname, obj_description(oid, 'pg_class') from pg_class where relkind = 'i'
    union all select convert_from(substring(tgargs from 1 for length(tgargs) - 1), 'utf8'), obj_description(oid, 'pg_trigger')
      from pg_trigger where tgnargs > 0
    union all select split_part(line, ': ', 1), substring(line from position(': ' in line) + 2)
      from pg_proc, regexp_split_to_table(obj_description(oid, 'pg_proc'), E'\\n') as line where pronamespace = 'public'::regnamespace`);
  const reasons = new Map(rows.flatMap(({ name, comment }) => (comment === null ? [] : [[name, comment] as const])));
  const guards = await findGuards();
  expect(guards.filter((guard) => (reasons.get(guard)?.length ?? 0) < 10)).toEqual([]);
});

it('docs/invariants.md promises nothing that the database does not know', async () => {
  const invariants = readFileSync(join(FOLDER, '..', '..', 'docs', 'invariants.md'), 'utf8');
  const promised = [...invariants.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
  const guards = new Set(await findGuards());
  expect(promised.filter((name) => name === undefined || !guards.has(name))).toEqual([]);
});
