import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { countRequest, pendingReplays } from '#server/metrics.ts';
import { findPrevented } from '#server/operator/find-prevented.ts';
import { keepReplays } from '#server/operator/keep-replays.ts';
import { migrate } from '../../prisma/migrate.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
});
afterAll(() => database.close());

const shown = async () =>
  (await findPrevented(database)).find(({ layer }) => layer === 'replayed_request')?.count ?? -1;
const replay = (times: number) => {
  for (let round = 0; round < times; round += 1) countRequest('replayed');
};

test('replays are counted at once, kept within seconds, and still there when the process is another one', async () => {
  replay(3);
  countRequest('accepted');
  expect(await shown()).toBe(3);
  await keepReplays(database);
  // What a process that has just started knows: nothing of its own.
  expect(pendingReplays()).toBe(0);
  expect(await shown()).toBe(3);
  replay(2);
  await keepReplays(database);
  await keepReplays(database);
  expect(await shown()).toBe(5);
  expect(await database.run('select replays::integer from replay_counts')).toEqual([{ replays: 5 }]);
});

test('what the database did not take is counted again later, and not lost', async () => {
  replay(4);
  const down: Db = { query: () => Promise.reject(new Error('down')) };
  await expect(keepReplays({ db: down })).rejects.toThrow('down');
  expect(pendingReplays()).toBe(4);
  await keepReplays(database);
  expect(await shown()).toBe(9);
});

test('only the last day is shown', async () => {
  await database.run(
    `insert into replay_counts values (date_trunc('hour', protocol_now()) - interval '25 hours', 100)`,
  );
  expect(await shown()).toBe(9);
});
