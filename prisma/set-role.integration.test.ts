import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPerson } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from './migrate.ts';
import { seed } from './seed.ts';
import { setRole } from './set-role.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: `0x${'c0'.repeat(20)}`, USDT: null } });
});
afterAll(() => database.close());

test('who signed up becomes the first operator, their old sessions end, and the audit log has it', async () => {
  const { userId, email } = await openPerson(database.db);
  expect(await setRole(database, { email: email.toUpperCase(), role: 'operator' })).toEqual({ from: 'customer' });
  const [person] = await database.run<{ role: string; sessions: string }>(
    'select u.role, (select count(*) from sessions s where s.user_id = u.id) as sessions from users u where u.id = $1',
    [userId],
  );
  expect(person).toEqual({ role: 'operator', sessions: '0' });
  const deeds = await database.run(
    "select before, after from audit_log where action = 'person.set_role' and subject = $1",
    [userId],
  );
  expect(deeds).toEqual([{ before: { role: 'customer' }, after: { role: 'operator' } }]);
});

test('who owns coins, and who does not exist, is refused in words, and nothing changes', async () => {
  const { userId, email } = await openPerson(database.db, { balances: { USDC: 1n } });
  await expect(setRole(database, { email, role: 'approver' })).rejects.toThrow(/staff own none/);
  await expect(setRole(database, { email: 'nobody@test.example', role: 'approver' })).rejects.toThrow(
    /nobody signed up/,
  );
  const [person] = await database.run<{ role: string }>('select role from users where id = $1', [userId]);
  expect(person).toEqual({ role: 'customer' });
});
