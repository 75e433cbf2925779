import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { type CutProxy, openCutProxy } from '#server/db/cut-proxy.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { logger } from '#server/logger.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
let proxy: CutProxy;
let web: TestWeb;
let alice: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: `0x${'c0'.repeat(20)}`, USDT: null } });
  proxy = await openCutProxy(database.url);
  web = await openTestWeb(database.open({ url: proxy.url, connectTimeoutMs: 500 }));
});
beforeEach(async () => {
  alice = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
});
afterAll(async () => {
  await web.close();
  await database.close();
  await proxy.close();
});

const aRequest = () => ({
  asset: 'USDC',
  network: 'ethereum',
  address: `0x${randomUUID().replaceAll('-', '')}aabbccdd`,
  amount: '10',
});

/** Accepts a request in a transaction that stays open, as a twin that is still committing. */
async function acceptUncommitted(body: ReturnType<typeof aRequest>, key: string): Promise<Client> {
  const twin = await database.connect();
  await twin.query('begin');
  await twin.query(
    `select outcome from request_withdrawal($1, $2, $3, 'USDC', 'ethereum', $4, null, 10000000, 500000, 'on_top', null, false, null, null, 50)`,
    [randomUUID(), key, alice.userId, body.address],
  );
  return twin;
}

/** What a person is told to name to the support. */
function referenceOf(answer: { text: string }): string {
  const body: { error: { data: { requestId: string } } } = JSON.parse(answer.text);
  return body.error.data.requestId;
}

/** Resolves when so many sessions of this database wait for a lock. */
async function untilWaiting(count: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const rows = await database.run(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length >= count) return;
    if (Date.now() > deadline) throw new Error(`${rows.length} sessions wait for a lock, not ${count}`);
  }
}

test('EC16, CU08: a duplicate that comes while the first is uncommitted waits, and gets the first row', async () => {
  const body = aRequest();
  const key = randomUUID();
  const twin = await acceptUncommitted(body, key);
  const waiting = alice.request(body, key);
  await untilWaiting(1);
  await twin.query('commit');
  await twin.end();
  const answer = await waiting;
  expect(answer.data.replayed).toBe(true);
  expect(await database.run('select 1 from withdrawals where idempotency_key = $1', [key])).toHaveLength(1);
});

test('what is refused and what breaks is told with the id under which it stands in the log', async () => {
  const info = vi.spyOn(logger(), 'info');
  const error = vi.spyOn(logger(), 'error');
  const refused = await alice.query('withdrawal.byId', { withdrawalId: randomUUID() });
  expect(referenceOf(refused)).toBe(refused.headers.get('x-request-id'));
  const line = { path: 'withdrawal.byId', code: 'not_found', requestId: referenceOf(refused) };
  expect(info).toHaveBeenCalledWith('api.refused', line);
  await alice.request(aRequest(), randomUUID());
  proxy.swallowAnswerTo('request_withdrawals');
  const broken = await alice.request(aRequest(), randomUUID());
  const ids = { path: 'withdrawal.request', requestId: referenceOf(broken) };
  expect(error).toHaveBeenCalledWith('api.unavailable', expect.anything(), ids);
});

test('EC17: when the first rolls back, the duplicate that waited becomes the first', async () => {
  const body = aRequest();
  const key = randomUUID();
  const twin = await acceptUncommitted(body, key);
  const waiting = alice.request(body, key);
  await untilWaiting(1);
  await twin.query('rollback');
  await twin.end();
  expect((await waiting).data.replayed).toBe(false);
});

test('a twin that commits for longer than the lock time-out: unknown, ask again with this key', async () => {
  const body = aRequest();
  const key = randomUUID();
  const twin = await acceptUncommitted(body, key);
  const answer = await alice.request(body, key);
  expect([answer.status, answer.refusal?.code]).toEqual([503, 'outcome_unknown']);
  expect(answer.headers.get('retry-after')).toBe('1');
  await twin.query('commit');
  await twin.end();
  expect((await alice.request(body, key)).data.replayed).toBe(true);
});

test('EC19, DB09, CU07: when the answer to a commit is lost, the outcome is unknown, and the key finds the one row', async () => {
  const body = aRequest();
  const key = randomUUID();
  // The connection that is told about must be one that has planned the statement: its name is what the proxy looks for.
  await alice.request(aRequest(), randomUUID());
  proxy.swallowAnswerTo('request_withdrawals');
  const lost = await alice.request(body, key);
  expect([lost.status, lost.refusal?.code]).toEqual([503, 'outcome_unknown']);
  type Found = { withdrawal: { withdrawalId: string } | null };
  const found = await alice.query<Found>('withdrawal.byKey', { idempotencyKey: key });
  const again = await alice.request(body, key);
  expect(again.data).toMatchObject({ replayed: true, withdrawal: found.data.withdrawal });
  const id = again.data.withdrawal.withdrawalId;
  expect(await database.run('select 1 from outbox where withdrawal_id = $1', [id])).toHaveLength(1);
});

test('a database that is gone: a clear refusal, nothing reserved, nobody signed out; and all is well when it is back', async () => {
  const body = aRequest();
  const key = randomUUID();
  proxy.cut();
  // Until the pool has seen its idle connections end, a request may be written into one of them and is unknown.
  while ((await fetch(`${web.url}/health/ready`)).status !== 503);
  const refused = await alice.request(body, key);
  const me = await alice.query('account.me');
  const ready = await fetch(`${web.url}/health/ready`);
  const live = await fetch(`${web.url}/health/live`);
  proxy.mend();
  expect([refused.status, refused.refusal?.code]).toEqual([503, 'service_unavailable']);
  expect([me.status, me.refusal?.code]).toEqual([503, 'service_unavailable']);
  expect([ready.status, live.status]).toEqual([503, 200]);
  for (const answer of [refused, me]) expect(answer.text).not.toMatch(/ECONN|postgres|select|stack|at .*\.ts/i);
  expect(await database.run('select 1 from withdrawals where idempotency_key = $1', [key])).toHaveLength(0);
  expect((await alice.request(body, key)).data.replayed).toBe(false);
});

test('DB10: sessions that the server ends while idle cost no process, and no request that asks again with its key', async () => {
  await alice.query('account.balances');
  await database.run(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const body = aRequest();
  const key = randomUUID();
  // A request may be written into a session that ended a moment ago: then it is unknown, and the same key settles it.
  await expect.poll(async () => (await alice.request(body, key)).status, { timeout: 5_000 }).toBe(200);
});

test('a session that the server ends in the middle of a request leaves an unknown outcome, never a false one', async () => {
  const body = aRequest();
  const key = randomUUID();
  const twin = await acceptUncommitted(body, key);
  const waiting = alice.request(body, key);
  await untilWaiting(1);
  await database.run(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  expect((await waiting).refusal?.code).toBe('outcome_unknown');
  await twin.query('rollback');
  await twin.end();
  expect((await alice.request(body, key)).data.replayed).toBe(false);
});

test('DB03: a request that the database rolls back as the loser of a deadlock reserves nothing, says so, and may be sent again', async () => {
  await database.run(`
    create function lose_once() returns trigger language plpgsql as $$
    begin
      raise exception using errcode = '40P01', message = 'deadlock detected: process 4711 waits for ShareLock';
    end $$;
    create trigger lose_once before insert on withdrawal_history for each row execute function lose_once()`);
  const body = aRequest();
  const key = randomUUID();
  const lost = await alice.request(body, key);
  await database.run('drop trigger lose_once on withdrawal_history; drop function lose_once');
  expect([lost.status, lost.refusal?.code]).toEqual([503, 'service_unavailable']);
  expect(lost.text).not.toMatch(/deadlock|ShareLock|40P01/);
  expect(await database.run('select 1 from withdrawals where idempotency_key = $1', [key])).toEqual([]);
  type Balances = { balances: { assetId: string; held: string }[] };
  const { balances } = (await alice.query<Balances>('account.balances')).data;
  expect(balances.find((one) => one.assetId === 'USDC')?.held).toBe('0');
  expect((await alice.request(body, key)).data.replayed).toBe(false);
});

test('DB02: a known key and a known destination are two answers, one after the other and at once, and neither is an error', async () => {
  const body = aRequest();
  const key = randomUUID();
  const requests = await Promise.all(Array.from({ length: 10 }, () => alice.request(body, key)));
  requests.push(await alice.request(body, key));
  expect(requests.map(({ status }) => status)).toEqual(requests.map(() => 200));
  expect(new Set(requests.map(({ data }) => data.withdrawal.withdrawalId)).size).toBe(1);
  const add = () =>
    alice.mutate<{ entry: { id: string } }>('addressBook.add', {
      network: 'ethereum',
      address: body.address,
      label: 'Cold',
    });
  const entries = await Promise.all(Array.from({ length: 10 }, add));
  entries.push(await add());
  expect(entries.map(({ status }) => status)).toEqual(entries.map(() => 200));
  expect(new Set(entries.map(({ data }) => JSON.stringify(data.entry))).size).toBe(1);
});
