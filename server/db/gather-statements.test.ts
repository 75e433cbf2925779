import { expect, test } from 'vitest';
import type { Database, Statement } from '#server/db/database.ts';
import { DatabaseError } from '#server/db/database-error.ts';
import { gatherInTransaction, gatherStatements } from '#server/db/gather-statements.ts';

const ALONE: Statement = { name: 'alone', text: 'alone' };
const TOGETHER: Statement = { name: 'together', text: 'together' };

interface Asked {
  readonly name: string;
  readonly values: readonly unknown[];
  answer(rows: object[]): void;
  fail(error: unknown): void;
}

/** Answers when it is told to. */
function heldDatabase() {
  const asked: Asked[] = [];
  const db: Database = {
    query: <Row extends object>({ name }: Statement, values: readonly unknown[]) =>
      new Promise<Row[]>((resolve, reject) => {
        asked.push({ name, values, answer: (rows) => resolve(rows as Row[]), fail: reject });
      }),
    get prisma(): never {
      throw new Error('nobody asks for it');
    },
    transaction: () => Promise.reject(new Error('nobody asks for it')),
    load: () => ({ total: 0, idle: 0, waiting: 0 }),
    close: () => Promise.resolve(),
  };
  const statements = [{ alone: ALONE.name, together: TOGETHER }];
  return { asked, db: gatherStatements(db, statements), tx: gatherInTransaction(db, statements) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('one that comes alone goes alone, and those that come meanwhile go together after it', async () => {
  const { asked, db } = heldDatabase();
  const first = db.query(ALONE, ['a', 1]);
  await turn();
  const others = [db.query(ALONE, ['b', 2]), db.query(ALONE, ['c', 3])];
  await turn();
  expect(asked.map(({ name, values }) => [name, values])).toEqual([['alone', ['a', 1]]]);
  asked[0]?.answer([{ of: 'a' }]);
  expect(await first).toEqual([{ of: 'a' }]);
  await turn();
  expect(asked.slice(1).map(({ name, values }) => [name, values])).toEqual([
    [
      'together',
      [
        ['b', 'c'],
        [2, 3],
      ],
    ],
  ]);
  // Nothing for the first of them, and the second's own.
  asked[1]?.answer([{ place: 2, of: 'c' }]);
  expect(await Promise.all(others)).toEqual([[], [{ place: 2, of: 'c' }]]);
});

test('two about the same follow one another', async () => {
  const { asked, db } = heldDatabase();
  void db.query(ALONE, ['a', 1]);
  await turn();
  for (const values of [
    ['b', 1],
    ['b', 2],
    ['c', 3],
  ])
    void db.query(ALONE, values);
  asked[0]?.answer([]);
  await turn();
  expect(asked[1]?.values).toEqual([
    ['b', 'c'],
    [1, 3],
  ]);
  asked[1]?.answer([]);
  await turn();
  expect(asked[2]).toMatchObject({ name: 'alone', values: ['b', 2] });
});

test('a batch that is taken back is asked one by one, and only the bad one hears of it', async () => {
  const { asked, db } = heldDatabase();
  const settled = Promise.allSettled([db.query(ALONE, ['a', 1]), db.query(ALONE, ['b', 2]), db.query(ALONE, ['c', 3])]);
  await turn();
  asked[0]?.fail(new DatabaseError('refused', Object.assign(new Error('said by the test'))));
  await turn();
  expect(asked.slice(1).map(({ name, values }) => [name, values[0]])).toEqual([
    ['alone', 'a'],
    ['alone', 'b'],
    ['alone', 'c'],
  ]);
  asked[1]?.answer([{ of: 'a' }]);
  asked[2]?.fail(new DatabaseError('refused', new Error('said by the test')));
  asked[3]?.answer([{ of: 'c' }]);
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a batch whose outcome is unknown is not repeated: everybody hears so', async () => {
  const { asked, db } = heldDatabase();
  const settled = Promise.allSettled([db.query(ALONE, ['a']), db.query(ALONE, ['b'])]);
  await turn();
  asked[0]?.fail(new DatabaseError('outcome_unknown', new Error('said by the test')));
  for (const one of await settled)
    expect(one).toMatchObject({ status: 'rejected', reason: { trouble: 'outcome_unknown' } });
  expect(asked).toHaveLength(1);
});

test('other statements pass as they are', async () => {
  const { asked, db } = heldDatabase();
  void db.query({ name: 'another', text: '' }, [1]);
  expect(asked[0]).toMatchObject({ name: 'another', values: [1] });
});

test('inside a transaction a batch that fails has failed for everybody: there is nobody left to ask', async () => {
  const { asked, tx } = heldDatabase();
  const settled = Promise.allSettled([tx.query(ALONE, ['a']), tx.query(ALONE, ['b'])]);
  await turn();
  asked[0]?.fail(new DatabaseError('refused', new Error('said by the test')));
  for (const one of await settled) expect(one).toMatchObject({ status: 'rejected', reason: { trouble: 'refused' } });
  expect(asked).toHaveLength(1);
});

test('inside a transaction one statement is asked at a time: what is asked beside it waits for its answer', async () => {
  const { asked, tx } = heldDatabase();
  const another = { name: 'another', text: '' };
  const settled = Promise.allSettled([tx.query(another, [1]), tx.query(ALONE, ['a']), tx.query(another, [2])]);
  await turn();
  expect(asked).toHaveLength(1);
  // Whatever becomes of it; the server says to the next one what it thinks of the transaction.
  asked[0]?.fail(new DatabaseError('refused', new Error('said by the test')));
  await turn();
  expect(asked.map(({ name }) => name)).toEqual(['another', 'another']);
  asked[1]?.answer([]);
  await turn();
  expect(asked.map(({ name }) => name)).toEqual(['another', 'another', 'alone']);
  asked[2]?.answer([]);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('those who are named by their second value are told apart by it', async () => {
  const { asked, tx } = heldDatabase();
  void tx.query(ALONE, [null, 'a']);
  void tx.query(ALONE, [null, 'b']);
  await turn();
  expect(asked[0]).toMatchObject({
    name: 'together',
    values: [
      [null, null],
      ['a', 'b'],
    ],
  });
});

test('a list goes as JSON, for lists of unlike length make no array', async () => {
  const { asked, tx } = heldDatabase();
  void tx.query(ALONE, ['a', ['x', 'y']]);
  void tx.query(ALONE, ['b', []]);
  await turn();
  expect(asked[0]?.values).toEqual([
    ['a', 'b'],
    ['["x","y"]', '[]'],
  ]);
});
