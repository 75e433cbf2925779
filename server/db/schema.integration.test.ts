import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LEGAL_TRANSITIONS } from '#domain/withdrawal-transitions.ts';
import { checkDatabase } from '#server/db/check-database.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';

const migrationsFolder = join(import.meta.dirname, '..', '..', 'prisma', 'migrations');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
});
afterAll(() => database.close());

test("the database's legal moves are the domain's, no more and no fewer", async () => {
  const rows = await database.run<{ from_status: string; to_status: string }>(
    'select * from withdrawal_legal_transitions',
  );
  const inDatabase = rows.map((row) => `${row.from_status} ${row.to_status}`).sort();
  const inDomain = Object.entries(LEGAL_TRANSITIONS).flatMap(([from, all]) => all.map((to) => `${from} ${to}`));
  expect(inDatabase).toEqual(inDomain.sort());
});

test('a database that is migrated and keeps what it commits is fit for money', async () => {
  expect(await checkDatabase({ db: database.db }, { migrationsFolder })).toEqual([]);
});

test('DB14: a bigint in what is kept as JSON is its text, at any depth, and nothing else is changed', async () => {
  const keep = { name: 'keep_json', text: 'select $1::jsonb as kept' };
  const at = new Date(0);
  const value = { nonce: 9_007_199_254_740_993n, deep: [{ height: 1n }], at, none: null };
  expect(await database.db.query(keep, [value])).toEqual([
    { kept: { nonce: '9007199254740993', deep: [{ height: '1' }], at: at.toISOString(), none: null } },
  ]);
});

test('a database without migrations is refused in words', async () => {
  const empty = await createTestDatabase({ migrate: null });
  try {
    expect(await checkDatabase({ db: empty.db }, { migrationsFolder })).toEqual([
      'no migration was ever applied: run the migrations first',
    ]);
  } finally {
    await empty.close();
  }
});

test('a database that may forget commits is refused', async () => {
  const alter = (deed: string) =>
    database.run(`do $$ begin execute format('alter database %I ${deed}', current_database()); end $$`);
  await alter('set synchronous_commit = off');
  try {
    const problems = await checkDatabase({ db: database.open() }, { migrationsFolder });
    expect(problems).toEqual([expect.stringContaining('synchronous_commit is off')]);
  } finally {
    await alter('reset synchronous_commit');
  }
});

test('an error of one statement costs no connection, and names its constraint', async () => {
  const { db } = database;
  const [before] = await db.query<{ pid: number }>({ name: 'pid', text: 'select pg_backend_pid() as pid' }, []);
  const wrong = db.query({ name: '', text: `insert into assets (id, name, decimals) values ('X', 'x', 99)` }, []);
  await expect(wrong).rejects.toMatchObject({ trouble: 'refused', constraint: 'assets_decimals' });
  const [after] = await db.query<{ pid: number }>({ name: 'pid', text: 'select pg_backend_pid() as pid' }, []);
  expect(after?.pid).toBe(before?.pid);
});

test('a transaction that throws leaves nothing, and its connection is usable again', async () => {
  const { db } = database;
  const failing = db.transaction(async (tx) => {
    await tx.query({ name: '', text: `insert into assets (id, name, decimals) values ('Y', 'y', 2)` }, []);
    throw new Error('changed our mind');
  });
  await expect(failing).rejects.toThrow('changed our mind');
  expect(await db.query({ name: '', text: `select 1 from assets where id = 'Y'` }, [])).toEqual([]);
});

test('nobody to connect to is told apart from an outcome that nobody knows', async () => {
  const gone = database.open({ url: 'postgresql://nobody@127.0.0.1:1/none', connectTimeoutMs: 300 });
  await expect(gone.query({ name: '', text: 'select 1' }, [])).rejects.toMatchObject({ trouble: 'not_reached' });
});
