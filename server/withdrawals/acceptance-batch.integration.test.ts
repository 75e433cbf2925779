import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openPerson } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { requestWithdrawalsSql } from '#server/sql/request-withdrawals.sql.ts';
import { createAcceptanceBatch } from '#server/withdrawals/acceptance-batch.ts';
import type { Accept, AcceptanceCall } from '#server/withdrawals/acceptance-call.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
/** Two processes, so that nothing that holds within one of them can pass for a guard. */
let accepts: readonly [Accept, Accept];
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  accepts = [createAcceptanceBatch({ db: database.db }), createAcceptanceBatch({ db: database.open() })];
});
afterAll(() => database.close());

const TOTAL = 1_500_000n;
const aCustomer = async (requests: number) =>
  (await openPerson(database.db, { balances: { USDC: BigInt(requests) * TOTAL } })).userId;
const aCall = (customer: string, more: Partial<AcceptanceCall> = {}): AcceptanceCall => ({
  id: randomUUID(),
  key: randomUUID(),
  customer,
  asset: 'USDC',
  network: 'ethereum',
  address: `0x${randomUUID()}`,
  memo: null,
  amount: '1000000',
  fee: '500000',
  fee_mode: 'on_top',
  refusal: null,
  needs_approval: false,
  look_alike_of: null,
  clicked_at: null,
  refused_daily_max: 1_000,
  value: '100000000',
  reasons: [],
  totp_step: null,
  challenge: null,
  fingerprint: null,
  ...more,
});
const outcomesOf = async (calls: readonly AcceptanceCall[], accept: Accept = accepts[0]) =>
  (await Promise.all(calls.map(accept))).map((row) => row.refusal_code ?? row.outcome);
const balanceOf = async (customer: string) => {
  const [row] = await database.run<{ available: string; held: string; holds: number }>(
    `select b.available_minor::text as available, b.held_minor::text as held,
       (select count(*)::integer from withdrawals w where w.customer_id = b.customer_id and w.status = 'queued') as holds
     from customer_balances b where b.customer_id = $1 and b.asset_id = 'USDC'`,
    [customer],
  );
  return row;
};

test('requests of many customers in one batch have an outcome each, with row, hold, history and wake-up', async () => {
  const [rich, poor] = [await aCustomer(3), await aCustomer(0)];
  const once = aCall(rich);
  const calls = [once, { ...once, id: randomUUID() }, aCall(poor), aCall(randomUUID()), aCall(rich)];
  expect(await outcomesOf(calls)).toEqual(['new', 'existing', 'insufficient_funds', 'no_customer', 'new']);
  expect(await outcomesOf([{ ...once, customer: poor }])).toEqual(['existing']);
  expect(await balanceOf(rich)).toEqual({ available: String(TOTAL), held: String(2n * TOTAL), holds: 2 });
  const [written] = await database.run(
    `select count(distinct h.withdrawal_id)::integer as history, count(distinct o.withdrawal_id)::integer as "wakeUps"
     from withdrawals w left join withdrawal_history h on h.withdrawal_id = w.id left join outbox o on o.withdrawal_id = w.id
     where w.customer_id = $1`,
    [rich],
  );
  expect(written).toEqual({ history: 2, wakeUps: 2 });
});

test('two hundred at once from two processes never spend more than there is', async () => {
  const customer = await aCustomer(9);
  const calls = Array.from({ length: 200 }, () => aCall(customer));
  const rows = await Promise.all(calls.map((call, turn) => (turn % 2 === 0 ? accepts[0] : accepts[1])(call)));
  expect(rows.filter((row) => row.status === 'queued')).toHaveLength(9);
  expect(rows.filter((row) => row.refusal_code === 'insufficient_funds')).toHaveLength(191);
  expect(await balanceOf(customer)).toEqual({ available: '0', held: String(9n * TOTAL), holds: 9 });
});

test('fifty copies of one request, over two processes and with other customers between, are one withdrawal', async () => {
  const [customer, other] = [await aCustomer(1), await aCustomer(60)];
  const call = aCall(customer);
  const copies = Array.from({ length: 50 }, () => ({ ...call, id: randomUUID() }));
  const rows = await Promise.all(
    copies.map((copy, turn) => {
      void accepts[turn % 2 === 0 ? 0 : 1](aCall(other));
      return (turn % 2 === 0 ? accepts[0] : accepts[1])(copy);
    }),
  );
  expect(rows.filter((row) => row.outcome === 'new')).toHaveLength(1);
  expect(new Set(rows.map((row) => row.id)).size).toBe(1);
  expect(await balanceOf(customer)).toEqual({ available: '0', held: String(TOTAL), holds: 1 });
});

test('a limit counts those of the same batch: what comes after it waits for a person', async () => {
  const { userId } = await openPerson(database.db, { balances: { USDC: 20n * TOTAL }, tier: 'standard' });
  // 10,000 USD a day go by themselves; each of these is worth 2,500, and neither a new address nor a code is in the way.
  await database.run(
    `update tiers set new_address_auto_reference_minor = null, step_up_reference_minor = null from (select set_config('session_replication_role', 'replica', true)) past where id = 'standard'`,
  );
  const calls = Array.from({ length: 6 }, () => aCall(userId, { value: '250000000000' }));
  const rows = await Promise.all(calls.map(accepts[0]));
  expect(rows.map((row) => row.status).sort()).toEqual([
    'awaiting_approval',
    'awaiting_approval',
    'queued',
    'queued',
    'queued',
    'queued',
  ]);
});

test('one request that the database refuses takes nobody with it', async () => {
  const [customer, other] = [await aCustomer(10), await aCustomer(10)];
  const poisoned = aCall(customer, { fee_mode: 'no such mode' });
  const calls = [...Array.from({ length: 8 }, (_, turn) => aCall(turn % 2 === 0 ? customer : other)), poisoned];
  const settled = await Promise.allSettled(calls.map(accepts[0]));
  expect(settled.slice(0, 8).every((one) => one.status === 'fulfilled' && one.value.outcome === 'new')).toBe(true);
  expect(settled[8]).toMatchObject({
    status: 'rejected',
    reason: { trouble: 'refused', constraint: 'withdrawals_fee_mode' },
  });
  expect(await balanceOf(customer)).toMatchObject({ holds: 4 });
  expect(await balanceOf(other)).toMatchObject({ holds: 4 });
});

test('a customer whose row is locked elsewhere holds up nobody else', async () => {
  const [locked, free] = [await aCustomer(2), await aCustomer(2)];
  const holder = await database.connect();
  await holder.query('begin');
  await holder.query('select 1 from customers where id = $1 for update', [locked]);
  const waiting = outcomesOf([aCall(locked), aCall(free)]);
  const seen: string[] = [];
  void waiting.then(() => seen.push('both'));
  expect(await outcomesOf([aCall(free)])).toEqual(['new']);
  expect(seen).toEqual([]);
  await holder.query('commit');
  await holder.end();
  expect(await waiting).toEqual(['new', 'new']);
});

const someoneWaits = () =>
  vi.waitFor(
    async () =>
      expect(
        await database.run(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        ),
      ).toHaveLength(1),
    { timeout: 1_500, interval: 20 },
  );

test('of two customers under one key at once the second holds nothing, though its own lock let it through', async () => {
  const [first, second] = [await aCustomer(2), await aCustomer(2)];
  const call = aCall(first);
  const session = await database.connect();
  try {
    await session.query('begin');
    await session.query(requestWithdrawalsSql.text, [JSON.stringify([call])]);
    // It decides before the first is committed, and finds out when it writes.
    const waiting = outcomesOf([aCall(second, { key: call.key })]);
    await someoneWaits();
    await session.query('commit');
    expect(await waiting).toEqual(['existing']);
  } finally {
    await session.end();
  }
  expect(await balanceOf(first)).toEqual({ available: String(TOTAL), held: String(TOTAL), holds: 1 });
  expect(await balanceOf(second)).toEqual({ available: String(2n * TOTAL), held: '0', holds: 0 });
});

test('a key that another customer takes meanwhile costs the next request of the same batch nothing: what it counted is taken back', async () => {
  const [first, second] = [await aCustomer(1), await aCustomer(1)];
  const call = aCall(first);
  const session = await database.connect();
  try {
    await session.query('begin');
    await session.query(requestWithdrawalsSql.text, [JSON.stringify([call])]);
    // Money for one: the second of them is decided as if the first had it.
    const waiting = outcomesOf([aCall(second, { key: call.key }), aCall(second)]);
    await someoneWaits();
    await session.query('commit');
    expect(await waiting).toEqual(['existing', 'new']);
  } finally {
    await session.end();
  }
  expect(await balanceOf(second)).toEqual({ available: '0', held: String(TOTAL), holds: 1 });
});

test('a batch of repetitions locks nothing and writes nothing', async () => {
  const customer = await aCustomer(5);
  const calls = Array.from({ length: 5 }, () => aCall(customer));
  await outcomesOf(calls);
  const session = await database.connect();
  try {
    await session.query('begin');
    const { rows } = await session.query(requestWithdrawalsSql.text, [JSON.stringify(calls)]);
    expect(rows.map((row) => row.outcome)).toEqual(Array(5).fill('existing'));
    const { rows: transaction } = await session.query('select pg_current_xact_id_if_assigned() as id');
    expect(transaction).toEqual([{ id: null }]);
  } finally {
    await session.end();
  }
});
