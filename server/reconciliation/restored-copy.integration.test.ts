import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConfirmDeed } from '#server/auth/confirm-deed.ts';
import { confirmEndOfLookUpOnly } from '#server/reconciliation/confirm-end-of-look-up-only.ts';
import { findWalkDelayMs } from '#server/reconciliation/find-walk-delay.ts';
import { proposeEndOfLookUpOnly } from '#server/reconciliation/propose-end-of-look-up-only.ts';
import { writeSignOfLife } from '#server/reconciliation/write-sign-of-life.ts';
import { cancelWithdrawal } from '#server/withdrawals/cancel-withdrawal.ts';
import { resolveInDoubtWithdrawal } from '#server/withdrawals/resolve-in-doubt-withdrawal.ts';
import { startMemoryGateLoop } from '../../worker/loops/memory-gate-loop.ts';
import { startReconciliationLoop } from '../../worker/loops/reconciliation-loop.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import type { Loop } from '../../worker/run-loop.ts';
import { createDispatchWorld, type DispatchWorld, until } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
let gate: Loop | null;
beforeEach(async () => {
  world = await createDispatchWorld();
  await world.seedControl();
  await world.rows('update protocol_settings set alive_at = null');
  gate = null;
});
afterEach(async () => {
  await gate?.stop();
  await world.close();
});

/** Runs statements as an administrator, on another database, with nobody connected to ours. */
async function administer(statements: (name: string) => readonly string[]): Promise<void> {
  const [row] = await world.rows('select current_database() as name');
  const name = String(row?.name);
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  try {
    for (const statement of statements(name)) {
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}
const takeCopy = () => administer((name) => [`create database ${name}_copy template ${name}`]);
const restoreCopy = () =>
  administer((name) => [
    `alter database ${name} rename to ${name}_lost`,
    `alter database ${name}_copy rename to ${name}`,
    `drop database ${name}_lost with (force)`,
  ]);

/** As a worker does at its start: nothing is sent before the gate opens. */
async function start(): Promise<void> {
  let isOpen = false;
  gate = startMemoryGateLoop(world.tools, {
    onOpen: () => {
      isOpen = true;
    },
  });
  await until('the memory is checked', async () => isOpen, 20_000);
}
const lifeNow = async () => String((await world.rows('select server_life() as life'))[0]?.life);
const signOfLife = async () => writeSignOfLife(world, { life: await lifeNow() });
const mode = async () => (await world.rows('select mode from protocol_settings'))[0]?.mode;
const made = (key: string) => world.custody.made.filter((transfer) => transfer.externalId === key).length;
const sent = (key: string) => world.custody.creates.filter((create) => create.key === key).length;
async function openStaff(): Promise<string> {
  const id = randomUUID();
  await world.rows(
    `insert into users (id, name, email, role) values ($1::uuid, 'Staff', $1::uuid::text || '@staff.test', 'operator')`,
    [id],
  );
  return id;
}
async function endByTwo(): Promise<void> {
  const [olga, oscar] = [await openStaff(), await openStaff()];
  // The next code of Oscar's authenticator, whatever it shows.
  const confirm: ConfirmDeed = async (tx, { deed, subject }) => {
    const confirmed = { name: '', text: `select confirm_deed($1, $2, $3, deed_fingerprint($2, $3), 1, null)` };
    await tx.query(confirmed, [oscar, deed, subject]);
    return null;
  };
  await world.rows(`insert into totp_factors (user_id, secret_sealed, confirmed_at) values ($1, '', protocol_now())`, [
    oscar,
  ]);
  expect(await proposeEndOfLookUpOnly(world, { actorId: olga, deedId: randomUUID() })).toEqual({ kind: 'proposed' });
  expect(await confirmEndOfLookUpOnly(world, { actorId: olga, confirm })).toMatchObject({ kind: 'refused' });
  expect(await confirmEndOfLookUpOnly(world, { actorId: oscar, confirm })).toEqual({ kind: 'ended' });
}
async function resolveLater(withdrawalId: string, afterMs: number): Promise<string> {
  await world.advanceClock(afterMs);
  await world.makeDue(withdrawalId);
  return (await resolveInDoubtWithdrawal(world.tools, { withdrawalId })).kind;
}

it('EC91: Postgres restored to an older copy while custody went on paying: nothing is paid twice, nothing is lost, two people end it', async () => {
  const paid = await world.request();
  await processWithdrawal(world.tools, paid);
  const sentAfterCopy = await world.request();
  const neverSent = await world.request();
  await takeCopy();
  // The world goes on: one queued row is sent, and a request is accepted and sent that the copy never heard of.
  await processWithdrawal(world.tools, sentAfterCopy);
  const lostRow = await world.request();
  await processWithdrawal(world.tools, lostRow);
  expect([made(sentAfterCopy.key), made(lostRow.key)]).toEqual([1, 1]);
  await restoreCopy();
  // Before the walk the copy calls it not sent, and its last sign of life is as old as the copy: nobody believes it.
  for (const alive of ['null', `protocol_now() - interval '15 seconds'`]) {
    await world.rows(`update protocol_settings set alive_at = ${alive}`);
    const { withdrawalId } = sentAfterCopy;
    const answer = await cancelWithdrawal(world, { withdrawalId, customerId: world.customerId });
    expect(answer).toMatchObject({ kind: 'not_now', withdrawal: { status: 'queued' } });
  }

  await start();
  expect(await mode()).toBe('look_up_only');
  for (const { withdrawalId } of [sentAfterCopy, neverSent]) {
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt' });
    expect(await cancelWithdrawal(world, { withdrawalId, customerId: world.customerId })).toMatchObject({
      kind: 'too_late',
    });
  }
  expect(await world.row(paid.withdrawalId)).toMatchObject({ status: 'submitted' });
  const cases = await world.rows(
    `select evidence ->> 'externalId' as reference from cases where kind = 'transfer_unknown_here'`,
  );
  expect(cases).toEqual([{ reference: lostRow.key }]);

  // Proof goes on being taken; nothing else moves.
  expect(await resolveLater(sentAfterCopy.withdrawalId, 3_000)).toBe('found');
  expect(await resolveLater(neverSent.withdrawalId, world.tools.times.notAfterMs + 3_000)).toBe('waiting');
  expect(await world.row(neverSent.withdrawalId)).toMatchObject({ status: 'in_doubt', wait_reason: 'look_up_only' });

  await endByTwo();
  expect(await mode()).toBe('normal');
  expect(await resolveLater(neverSent.withdrawalId, 1_000)).toBe('back_to_queue');
  expect(await processWithdrawal(world.tools, neverSent)).toMatchObject({ kind: 'submitted' });
  for (const { key } of [paid, sentAfterCopy, lostRow, neverSent]) expect([sent(key), made(key)]).toEqual([1, 1]);
  // The next start finds the same transfers, which two people have looked at.
  await gate?.stop();
  await start();
  expect(await mode()).toBe('normal');
});

it('a send that was proved absent before the copy explains nothing that was made after it', async () => {
  const requested = await world.request();
  world.custody.script = ['drop'];
  await processWithdrawal(world.tools, requested);
  expect(await resolveLater(requested.withdrawalId, world.tools.times.notAfterMs + 3_000)).toBe('back_to_queue');
  await takeCopy();
  expect(await processWithdrawal(world.tools, requested)).toMatchObject({ kind: 'submitted' });
  await restoreCopy();
  await start();
  expect(await mode()).toBe('look_up_only');
  await endByTwo();
  expect(await resolveLater(requested.withdrawalId, 1_000)).toBe('found');
  expect([sent(requested.key), made(requested.key)]).toEqual([2, 1]);
});

it('what a lost memory sent is never sent again, and without a not-after people decide', async () => {
  world.custody.capabilities.notAfterHonoured = false;
  const lost = await world.request();
  await takeCopy();
  const other = await world.request();
  await processWithdrawal(world.tools, other);
  await restoreCopy();
  await start();
  await endByTwo();
  expect(await resolveLater(lost.withdrawalId, world.tools.times.notAfterMs * 10)).toBe('parked');
  expect(await world.row(lost.withdrawalId)).toMatchObject({ status: 'in_doubt', parked_reason: 'bytes_unknown' });
  expect(sent(lost.key)).toBe(0);
});

it('a request of the world before that is still under way is not overtaken by the walk', async () => {
  const inFlight = await world.request();
  await takeCopy();
  // Sent by the world before; custody will make it in a while. (Its attempt row is lost with that world.)
  await restoreCopy();
  const startedAt = performance.now();
  const opening = start();
  setTimeout(() => {
    const template = [...world.custody.transfers.values()][0];
    if (template !== undefined)
      world.custody.transfers.set(inFlight.key, { ...template, id: 'tr_in_flight', externalId: inFlight.key });
  }, 1_000);
  await opening;
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(world.tools.times.quietPeriodMs);
  expect(await mode()).toBe('look_up_only');
  expect(sent(inFlight.key)).toBe(0);
});

it('a copy of a moment ago is not taken for a restart: nobody cancels in it, and the walk waits for what is under way', async () => {
  const inFlight = await world.request();
  expect(await signOfLife()).toBe(true);
  const before = await lifeNow();
  await takeCopy();
  await restoreCopy();
  expect(await lifeNow()).not.toBe(before);
  const answer = await cancelWithdrawal(world, {
    withdrawalId: inFlight.withdrawalId,
    customerId: world.customerId,
  });
  expect(answer).toMatchObject({ kind: 'not_now', withdrawal: { status: 'queued' } });
  expect(await findWalkDelayMs(world.tools)).toBe(world.tools.times.quietPeriodMs);
});

it('a database that is restored under a worker gets no sign of life of its before custody’s list was walked anew', async () => {
  const { key, withdrawalId } = await world.request();
  const life = await lifeNow();
  await takeCopy();
  await processWithdrawal(world.tools, { withdrawalId });
  await restoreCopy();
  // At once, before the worker has noticed: the copy calls it not sent.
  await processWithdrawal(world.tools, { withdrawalId });
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'queued', wait_reason: 'memory_unchecked' });
  const times = { ...world.tools.times, quietPeriodMs: 100 };
  const reconciling = startReconciliationLoop({ ...world.tools, times }, { life });
  try {
    await until('the list was walked', async () => (await mode()) === 'look_up_only', 20_000);
    await until('there is a sign of life again', async () => {
      const [signed] = await world.rows('select alive_in = server_life() as here from protocol_settings');
      return signed?.here === true;
    });
  } finally {
    await reconciling.stop();
  }
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt' });
  expect([sent(key), made(key)]).toEqual([1, 1]);
});

it('a restart within moments does not wait, nor does a start with nothing to send', async () => {
  await world.request();
  await signOfLife();
  let startedAt = performance.now();
  await start();
  expect(performance.now() - startedAt).toBeLessThan(world.tools.times.quietPeriodMs);
  await gate?.stop();
  await world.rows(`update protocol_settings set alive_at = null`);
  for (const { id } of await world.rows(`select id from withdrawals where status = 'queued'`))
    await processWithdrawal(world.tools, { withdrawalId: String(id) });
  startedAt = performance.now();
  await start();
  expect(performance.now() - startedAt).toBeLessThan(world.tools.times.quietPeriodMs);
  expect(await mode()).toBe('normal');
});

it('custody away keeps the gate shut until its list was walked', async () => {
  await signOfLife();
  world.custody.lookUps = 'fail';
  let isOpen = false;
  gate = startMemoryGateLoop(world.tools, {
    onOpen: () => {
      isOpen = true;
    },
  });
  await until('a walk failed', async () => {
    const runs = await world.rows(`select 1 from reconciliation_runs where outcome = 'failed'`);
    return runs.length > 0;
  });
  expect(isOpen).toBe(false);
  world.custody.lookUps = 'normal';
  await until('it opens', async () => isOpen);
});

it('what waited for an approval comes out of a lost memory to people, never into the queue', async () => {
  const key = randomUUID();
  const withdrawalId = randomUUID();
  await world.rows(
    `select outcome from request_withdrawal($1::uuid, $2::uuid, $3::uuid, 'USDC', 'ethereum', '0x00000000000000000000000000000000000000aa', null,
      7000000, 500000, 'on_top', null, true, null, null, 1000)`,
    [withdrawalId, key, world.customerId],
  );
  await takeCopy();
  const other = await world.request();
  await processWithdrawal(world.tools, other);
  await restoreCopy();
  await start();
  await endByTwo();
  expect(await resolveLater(withdrawalId, world.tools.times.notAfterMs + 3_000)).toBe('parked');
  expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt', parked_reason: 'approval_missing' });
  expect(sent(key)).toBe(0);
});

it('a row accepted while we only look up is in doubt before the mode ends: its key may be the lost memory’s', async () => {
  await takeCopy();
  const lost = await world.request();
  await processWithdrawal(world.tools, lost);
  await restoreCopy();
  await start();
  // The browser asks again under the key that the copy does not know.
  const again = randomUUID();
  const { address } = world.custody.transferOf(lost.key);
  const [row] = await world.rows(
    `select r.outcome from request_withdrawal($1::uuid, $2::uuid, $3::uuid, 'USDC', 'ethereum', $4, null, 25000000, 500000, 'on_top', null, false, null, null, 1000) r`,
    [again, lost.key, world.customerId, address],
  );
  expect(row).toEqual({ outcome: 'new' });
  await endByTwo();
  expect(await world.row(again)).toMatchObject({ status: 'in_doubt' });
  expect(await resolveLater(again, 1_000)).toBe('found');
  expect([sent(lost.key), made(lost.key)]).toEqual([1, 1]);
});
