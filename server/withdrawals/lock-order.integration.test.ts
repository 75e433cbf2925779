import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Statement } from '#server/db/database.ts';
import { gatheredBeginPollSql } from '#server/sql/begin-poll.sql.ts';
import { countConfirmationsSql } from '#server/sql/count-confirmations.sql.ts';
import { gatheredEndPollSql } from '#server/sql/end-poll.sql.ts';
import { gatheredAcceptedTransitionSql } from '#server/sql/gathered-accepted-transition.sql.ts';
import { gatheredClaimTransitionSql } from '#server/sql/gathered-claim-transition.sql.ts';
import { wakeStoppedSql } from '#server/sql/wake-stopped.sql.ts';
import { waitUntil } from '#stack/wait-until.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld();
});
afterAll(() => world.close());

type Pair = readonly [higher: string, lower: string];

/** Two withdrawals of which the one that was written first has the higher id: what a statement comes upon first is the wrong one. */
async function requestReversed(): Promise<Pair> {
  let before = await world.request();
  for (;;) {
    const next = await world.request();
    if (before.withdrawalId > next.withdrawalId) return [before.withdrawalId, next.withdrawalId];
    before = next;
  }
}

const change = (ids: Pair, set: string) =>
  world.rows(`update withdrawals set ${set} where id = any($1::uuid[])`, [ids]);
const claim = (ids: Pair) => [
  ids,
  ['queued', 'queued'],
  ['0', '0'],
  ['custody', 'custody'],
  ['main', 'main'],
  [new Date(Date.now() + 3_600_000), new Date(Date.now() + 3_600_000)],
  [Buffer.from('a'), Buffer.from('b')],
  ['hash a', 'hash b'],
  [30_000, 30_000],
  ['claimed', 'claimed'],
  [5, 5],
];
const beSubmitted = async (ids: Pair) => {
  for (const withdrawalId of ids) await processWithdrawal(world.tools, { withdrawalId });
  await change(ids, 'next_action_at = protocol_now()');
};

interface Case {
  readonly statement: Statement;
  readonly arrange: (ids: Pair) => Promise<unknown>;
  readonly values: (ids: Pair) => readonly unknown[];
}

const CASES: readonly Case[] = [
  { statement: gatheredClaimTransitionSql, arrange: async () => undefined, values: claim },
  {
    statement: gatheredAcceptedTransitionSql,
    arrange: (ids) => world.db.query(gatheredClaimTransitionSql, claim(ids)),
    values: (ids) => [
      ids,
      ['dispatching', 'dispatching'],
      [randomUUID(), randomUUID()],
      [1, 1],
      ['accepted', 'accepted'],
      [1_000, 1_000],
      ['worker', 'worker'],
      ['accepted', 'accepted'],
      ['{}', '{}'],
      ['custody', 'custody'],
      ['main', 'main'],
    ],
  },
  {
    statement: gatheredBeginPollSql,
    arrange: beSubmitted,
    values: (ids) => [ids, ['custody', 'custody'], ['main', 'main'], [1_000, 1_000]],
  },
  {
    statement: gatheredEndPollSql,
    arrange: beSubmitted,
    values: (ids) => [
      ids,
      [9, 9],
      ['found', 'found'],
      ['{}', '{}'],
      ['submitted', 'submitted'],
      [1_000, 1_000],
      [null, null],
      [null, null],
    ],
  },
  {
    statement: countConfirmationsSql,
    arrange: async (ids) => {
      await beSubmitted(ids);
      // No effect of theirs is left: both come down to 0.
      await change(ids, 'confirmations = 3');
    },
    values: () => ['ethereum', '10'],
  },
  {
    statement: wakeStoppedSql,
    arrange: (ids) =>
      change(ids, `wait_reason = 'sending_stopped', next_action_at = protocol_now() + interval '1 hour'`),
    values: () => [['sending_stopped']],
  },
];

it.each(CASES)('$statement.name waits for the lower id before it holds the higher one', async (example) => {
  const ids = await requestReversed();
  await example.arrange(ids);
  const [higher, lower] = ids;
  let asked: Promise<object[]> = Promise.resolve([]);
  await world.db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'select 1 from withdrawals where id = $1 for update' }, [lower]);
    asked = world.db.query(example.statement, example.values(ids));
    const waits = async () => (await world.rows(WAITING)).length > 0;
    await waitUntil(waits, { withinMs: 1_500, everyMs: 5, what: 'nobody waits for the row that is held' });
    const text = 'select 1 from withdrawals where id = $1 for update skip locked';
    expect(await tx.query({ name: '', text }, [higher])).toHaveLength(1);
  });
  // Each of the two was done once the row was free.
  expect((await asked).length).toBeGreaterThanOrEqual(2);
});

const WAITING = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
