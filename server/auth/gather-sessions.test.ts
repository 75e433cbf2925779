import { expect, it } from 'vitest';
import { gatherSessions } from '#server/auth/gather-sessions.ts';
import type { SessionRow } from '#server/auth/session.ts';
import type { Db } from '#server/db/database.ts';

/** Sessions by token, and what was asked for in each statement. */
function aDatabase(tokens: readonly string[]) {
  const open = new Set(tokens);
  const asked: unknown[] = [];
  const row = (token: string): SessionRow & { token: string } => ({
    token,
    id: `person of ${token}`,
    name: '',
    email: '',
    role: 'customer',
    frozen: false,
    expires_at: new Date(0),
  });
  const db: Db = {
    // The rows are the statement's.
    query: async <Row extends object>(_statement: unknown, [wanted]: readonly unknown[]) => {
      asked.push(wanted);
      return [...open].filter((token) => [wanted].flat().includes(token)).map(row) as object[] as Row[];
    },
  };
  return { db, open, asked };
}

it('asks once for all who ask in one turn, and gives each their own answer', async () => {
  const { db, asked } = aDatabase(['a', 'b']);
  const find = gatherSessions(db);
  const found = await Promise.all([find('b'), find('nobody'), find('a'), find('b')]);
  expect(found.map((row) => row?.id)).toEqual(['person of b', undefined, 'person of a', 'person of b']);
  expect(asked).toEqual([['b', 'nobody', 'a']]);
});

it('sees at the next question that a session has ended', async () => {
  const { db, open, asked } = aDatabase(['a']);
  const find = gatherSessions(db);
  expect(await find('a')).toBeDefined();
  open.delete('a');
  expect(await find('a')).toBeUndefined();
  expect(asked).toHaveLength(2);
});

it('waits for nobody whose question was never answered', async () => {
  const { db } = aDatabase(['a']);
  let isSilent = true;
  const find = gatherSessions({
    query: (...args) => (isSilent ? new Promise(() => undefined) : db.query(...args)),
  });
  void find('b');
  await new Promise((resolve) => setImmediate(resolve));
  isSilent = false;
  expect(await find('a')).toBeDefined();
});

it('tells everybody of a turn that the database could not be asked, and asks anew afterwards', async () => {
  const { db } = aDatabase(['a']);
  let isAway = true;
  const find = gatherSessions({
    query: (...args) => (isAway ? Promise.reject(new Error('away')) : db.query(...args)),
  });
  const both = await Promise.allSettled([find('a'), find('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await find('a')).toBeDefined();
});
