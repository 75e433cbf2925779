import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import type { ShownSwitch } from '#server/switches/find-switches.ts';
import { tripBreaker } from '#server/switches/trip-breaker.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

const UNIT = 1_000_000n;
let database: TestDatabase;
let web: TestWeb;
let olga: TestPerson;
let oscar: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  web = await openTestWeb(database.db);
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
});
afterAll(async () => {
  await web.close();
  await database.close();
});

const aCustomer = async (tier = 'institution') =>
  web.as(await openPerson(database.db, { balances: { USDC: 1_000n * UNIT }, tier }));
const ask = async (person: TestPerson) => {
  const address = `0x${randomUUID().replaceAll('-', '')}aabbccdd`;
  const answer = await person.request(
    { asset: 'USDC', network: 'ethereum', address, memo: null, amount: '1' },
    randomUUID(),
  );
  return answer.refusal?.code ?? answer.data.withdrawal.status;
};
const openSwitches = async () =>
  (await oscar.query<{ items: ShownSwitch[] }>('operator.switches.list')).data.items.filter(
    (one) => one.resumedAt === null,
  );
const stopOf = async (person: TestPerson) =>
  (
    await database.run(
      `select (select reason from payout_stops(w)) as reason from withdrawals w where customer_id = $1 and status = 'queued' limit 1`,
      [person.userId],
    )
  )[0]?.reason;

const confirmResume = (switchId = '') =>
  oscar.confirm('operator.switches.confirmResume', { switchId }, { deed: 'resume', subject: switchId });

async function resume(): Promise<void> {
  for (const { switchId } of await openSwitches()) {
    await olga.mutate('operator.switches.proposeResume', { switchId, deedId: randomUUID() });
    expect((await confirmResume(switchId)).status).toBe(200);
  }
}

test('one person pauses at once: new requests are refused, what was accepted waits and is not lost', async () => {
  const alice = await aCustomer();
  expect(await ask(alice)).toBe('queued');
  const body = { scope: 'asset', target: 'USDC', reason: 'something is odd' };
  expect((await olga.mutate('operator.switches.pause', body)).data).toEqual({ kind: 'paused' });
  expect((await olga.mutate('operator.switches.pause', body)).data).toEqual({ kind: 'already_paused' });
  expect(await ask(alice)).toBe('pair_paused');
  expect(await stopOf(alice)).toBe('paused_asset');
  await resume();
  expect(await ask(alice)).toBe('queued');
  expect(await stopOf(alice)).toBeNull();
});

test('a press on pause that comes again after two people resumed pauses nothing anew', async () => {
  const body = { scope: 'asset', target: 'ETH', reason: 'a press from before', deedId: randomUUID() };
  expect((await olga.mutate('operator.switches.pause', body)).data).toEqual({ kind: 'paused' });
  expect((await olga.mutate('operator.switches.pause', body)).data).toEqual({ kind: 'already_paused' });
  await resume();
  expect((await olga.mutate('operator.switches.pause', body)).refusal?.code).toBe('changed_meanwhile');
  expect(await openSwitches()).toEqual([]);
});

test('whoever proposed to go on does not confirm it', async () => {
  await olga.mutate('operator.switches.pause', { scope: 'all', reason: 'drill of the week' });
  const [open] = await openSwitches();
  const switchId = open?.switchId;
  expect((await oscar.mutate('operator.switches.confirmResume', { switchId })).refusal?.code).toBe('changed_meanwhile');
  await olga.mutate('operator.switches.proposeResume', { switchId, deedId: randomUUID() });
  expect((await olga.mutate('operator.switches.confirmResume', { switchId })).refusal?.code).toBe(
    'second_person_needed',
  );
  expect(await ask(await aCustomer())).toBe('pair_paused');
  expect((await confirmResume(switchId)).data).toEqual({ kind: 'resumed' });
  expect((await oscar.mutate('operator.switches.confirmResume', { switchId })).refusal?.code).toBe('already_done');
});

test('an auditor pauses nothing, and a customer does not know that switches exist', async () => {
  const auditor = web.as(await openPerson(database.db, { role: 'auditor' }));
  const body = { scope: 'all', reason: 'a bad day' };
  expect((await auditor.mutate('operator.switches.pause', body)).refusal?.code).toBe('forbidden');
  expect((await (await aCustomer()).mutate('operator.switches.pause', body)).refusal?.code).toBe('not_found');
});

test('one wild customer is paused alone, by their tier’s own limit, refused requests counted', async () => {
  await database.run(`insert into tiers select 'calm', 'Calm', auto_limit_24h_reference_minor, auto_limit_30d_reference_minor,
    second_approval_reference_minor, null, null, 1000, '1 hour', 3 from tiers where id = 'institution'`);
  const [alice, bob] = [await aCustomer('calm'), await aCustomer('calm')];
  for (let turn = 0; turn < 3; turn += 1) await ask(alice);
  expect(await tripBreaker(database, { deficits: new Map() })).toEqual([]);
  await ask(alice);
  expect(await tripBreaker(database, { deficits: new Map() })).toEqual([
    { scope: 'customer', target: alice.userId, reason: 'velocity' },
  ]);
  expect([await ask(alice), await ask(bob)]).toEqual(['pair_paused', 'queued']);
  await resume();
  // What people ended is not paused again for the same reason at once.
  expect(await tripBreaker(database, { deficits: new Map() })).toEqual([]);
});

test('an asset pauses for too much in doubt, exactly at its limit not yet, and for any deficit', async () => {
  const alice = await aCustomer();
  await ask(alice);
  await database.run(`update withdrawals set parked_at = now(), parked_reason = 'test' where customer_id = $1`, [
    alice.userId,
  ]);
  const limit = (minor: bigint) =>
    database.run(`update assets set at_risk_max_minor = $1 where id = 'USDC'`, [minor.toString()]);
  await limit(1_500_000n);
  expect(await tripBreaker(database, { deficits: new Map() })).toEqual([]);
  await limit(1_499_999n);
  const deficits = new Map([['ETH', 1n]]);
  expect(await tripBreaker(database, { deficits })).toEqual([
    { scope: 'asset', target: 'ETH', reason: 'deficit' },
    { scope: 'asset', target: 'USDC', reason: 'value_at_risk' },
  ]);
  expect(await tripBreaker(database, { deficits })).toEqual([]);
  await resume();
});
