import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Db } from '#server/db/database.ts';
import { retryDeadLetter } from '#server/operator/retry-dead-letter.ts';
import { claimWithdrawal } from '#server/withdrawals/claim-withdrawal.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld();
});
afterAll(() => world.close());

/** A database whose transactions have begun, and read the clock, before `meanwhile` happens and is committed. */
function begunBefore(meanwhile: () => Promise<unknown>): Database {
  return Object.create(world.db, {
    transaction: {
      value: (work: (tx: Db) => Promise<unknown>) =>
        world.db.transaction(async (tx) => {
          await tx.query({ name: '', text: 'select protocol_now()' }, []);
          await meanwhile();
          return await work(tx);
        }),
    },
  });
}

it.each(['queued', 'in_doubt'] as const)(
  'OP03: a retry of a row that is %s, begun before the one that won, wakes nothing more',
  async (status) => {
    const id = await givenRow(status);
    const retry = (db: Database) => retryDeadLetter({ db }, { kind: 'withdrawal', id, actorId: 'olga' });
    let winner = '';
    const late = await retry(begunBefore(async () => (winner = (await retry(world.db)).kind)));
    expect([winner, late.kind]).toEqual(['woken', 'awake']);
    const wakeUps = await world.rows('select 1 from outbox where withdrawal_id = $1 and relayed_at is null', [id]);
    expect(wakeUps).toHaveLength(status === 'queued' ? 1 : 0);
  },
);

it('OP04: a retry of an event, begun before the one that won, wakes nothing more', async () => {
  const id = `evt_${randomUUID()}`;
  await world.rows(
    `insert into inbox_events (provider, event_id, event_type, body, body_sha256, signed_at, next_attempt_at)
     values ('mock', $1, 'transfer.accepted', '{}', 'hash', protocol_now(), protocol_now() + interval '1 hour')`,
    [id],
  );
  const retry = (db: Database) => retryDeadLetter({ db }, { kind: 'event', id, actorId: 'olga' });
  let winner = '';
  const late = await retry(begunBefore(async () => (winner = (await retry(world.db)).kind)));
  expect([winner, late.kind]).toEqual(['woken', 'awake']);
});

it('the times of the audit are in the order of its chain', async () => {
  const deed = (db: Db, subject: string) =>
    appendAudit({ db }, { actorId: 'olga', action: 'test.deed', subject, before: null, after: null });
  await begunBefore(() => deed(world.db, 'second to begin')).transaction((tx) => deed(tx, 'first to begin'));
  const rows = await world.rows(
    `select subject, at >= lag(at) over (order by seq) as later from audit_log where action = 'test.deed' order by seq`,
  );
  expect(rows.at(-1)).toEqual({ subject: 'first to begin', later: true });
});

it('a claim that waited for its row dates its send, and its place in the history, from when it had it', async () => {
  const { withdrawalId } = await world.request();
  const slow = begunBefore(() =>
    world.rows(`update withdrawals set updated_at = updated_at where id = $1`, [withdrawalId]),
  );
  await slow.transaction((tx) => claimWithdrawal({ ...world.tools, db: tx }, { withdrawalId }));
  // The row says when the transaction of its last writer began, which is before the row was touched by the other one.
  const [written] = await world.rows(
    `select a.started_at > w.updated_at as send_is_later, h.at > w.updated_at as history_is_later
     from withdrawals w join withdrawal_attempts a on a.withdrawal_id = w.id
     join withdrawal_history h on h.withdrawal_id = w.id and h.to_status = 'dispatching' where w.id = $1`,
    [withdrawalId],
  );
  expect(written).toEqual({ send_is_later: true, history_is_later: true });
});

it('a lost memory is written beside a row once, though whoever wrote it began before the spell', async () => {
  const { withdrawalId } = await world.request();
  const doubt = (db: Db) => recordTransition({ db }, { kind: 'memory_lost', evidence: {} });
  const began = begunBefore(() =>
    world.rows(`insert into look_up_only_spells (reason, provider, provider_account, not_after)
      values ('a test of it', 'mock', 'main', interval '10 seconds')`),
  );
  await began.transaction((tx) => doubt(tx));
  await doubt(world.db);
  const attempts = await world.rows(
    `select outcome_at >= started_at as in_order from withdrawal_attempts where withdrawal_id = $1 and detail ->> 'reason' = 'memory_lost'`,
    [withdrawalId],
  );
  expect(attempts).toEqual([{ in_order: true }]);
});

it('of two changes of security at once neither undoes the other, whichever began first', async () => {
  const change = (db: Db) =>
    db.query({ name: '', text: `select freeze_after_security_change($1::uuid, 'password')` }, [world.customerId]);
  await begunBefore(() => change(world.db)).transaction((tx) => change(tx));
  const notices = await world.rows(
    `select (n.data ->> 'frozenUntil')::timestamptz = c.frozen_until as is_the_later
     from notifications n join customers c on c.id = n.user_id where n.kind = 'security_change'`,
  );
  expect(notices).toEqual([{ is_the_later: true }, { is_the_later: true }]);
});

/** A row that waits for an hour, with nothing in the outbox. */
async function givenRow(status: 'queued' | 'in_doubt'): Promise<string> {
  const { withdrawalId } = await world.request();
  if (status === 'in_doubt') {
    await claimWithdrawal(world.tools, { withdrawalId });
    await world.rows(`update withdrawals set status = 'in_doubt' where id = $1`, [withdrawalId]);
  }
  await world.rows(`update withdrawals set next_action_at = protocol_now() + interval '1 hour' where id = $1`, [
    withdrawalId,
  ]);
  await world.rows('update outbox set relayed_at = protocol_now() where withdrawal_id = $1', [withdrawalId]);
  return withdrawalId;
}
