import { afterAll, beforeAll, expect, it } from 'vitest';
import { WITHDRAWAL_STATUSES } from '#domain/withdrawal.ts';
import { LEGAL_TRANSITIONS, mayFollow } from '#domain/withdrawal-transitions.ts';
import { createGuardDatabase, type GuardDatabase } from './guard-database.ts';

let database: GuardDatabase;
beforeAll(async () => {
  database = await createGuardDatabase();
});
afterAll(() => database.drop());

it('the database and the domain hold one table of legal moves', async () => {
  const { rows } = await database.pool.query<{ move: string }>(
    `select from_status || ' > ' || to_status as move from withdrawal_legal_transitions`,
  );
  const inDomain = WITHDRAWAL_STATUSES.flatMap((from) => LEGAL_TRANSITIONS[from].map((to) => `${from} > ${to}`));
  expect(rows.map(({ move }) => move).sort()).toEqual([...inDomain].sort());
});

for (const from of WITHDRAWAL_STATUSES) {
  it(`withdrawals_legal_transition: plain SQL moves ${from} only where the domain does`, async () => {
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await client.query('select given_withdrawal($1)', [from]);
      for (const to of WITHDRAWAL_STATUSES) {
        // A row that stays where it is makes no move. What a move needs besides comes with it, so that only the move is judged.
        const expected = to === from || mayFollow(from, to) ? 'allowed' : 'withdrawals_legal_transition';
        await client.query('savepoint before');
        const move = client.query(
          `update withdrawals set status = $1, fence = fence + 1, failure_code = coalesce(failure_code, 'x'),
             transfer_id = case when $1 in ('submitted', 'broadcast', 'completed') then coalesce(transfer_id, 't') else transfer_id end,
             transaction_hash = coalesce(transaction_hash, '0xabc')
           where id = given_id($2)`,
          [to, from],
        );
        const verdict = await move.then(
          () => 'allowed',
          (error: { constraint?: string }) => error.constraint,
        );
        expect(`${from} > ${to}: ${verdict}`).toBe(`${from} > ${to}: ${expected}`);
        await client.query('rollback to before');
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
}
