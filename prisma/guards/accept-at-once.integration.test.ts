import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGuardDatabase, type GuardDatabase } from './guard-database.ts';
import { ADDRESS, CARLA } from './house.ts';

let database: GuardDatabase;
beforeAll(async () => {
  database = await createGuardDatabase();
  // Every session is open before the first test, or "at once" would be one after the other.
  await times(50, () => database.pool.query('select 1'));
});
afterAll(() => database.drop());

interface Asked {
  readonly customer: string;
  readonly key?: string;
  readonly id?: string;
  readonly address?: string;
  readonly amount?: number;
  readonly lookAlikeOf?: string | null;
  readonly refusedDailyMax?: number;
}
interface Answer {
  readonly outcome: string;
  readonly id: string | null;
  readonly status: string | null;
  readonly refusal: string | null;
  readonly look_alike_of: string | null;
}

async function request(pool: pg.Pool, asked: Asked): Promise<Answer> {
  const { key = randomUUID(), id = randomUUID(), address = `${ADDRESS}${randomUUID()}`, amount = 100 } = asked;
  const { rows } = await pool.query<Answer>({
    name: 'request',
    text: `select outcome, (w).id, (w).status, (w).refusal_code as refusal, (w).look_alike_of
      from request_withdrawal($1, $2, $3, 'USDC', 'ethereum', $4, null, $5, 1, 'on_top', null, false, $6, null, $7)`,
    values: [id, key, asked.customer, address, amount, asked.lookAlikeOf ?? null, asked.refusedDailyMax ?? 100],
  });
  return only(rows);
}

async function giveUp(pool: pg.Pool, customer: string, key: string, dailyMax = 100): Promise<string> {
  const { rows } = await pool.query<{ outcome: string }>({
    name: 'give_up',
    text: 'select outcome from give_up_key($1, $2, $3, $4)',
    values: [randomUUID(), key, customer, dailyMax],
  });
  return only(rows).outcome;
}

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`${rows.length} rows where one was promised`);
  return row;
}

const times = <Result>(count: number, deed: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => deed(index)));

async function openCustomer(pool: pg.Pool, amount: number): Promise<string> {
  const customer = randomUUID();
  await pool.query(`insert into users (id, name, email) values ($1, 'someone', $2)`, [
    customer,
    `${customer}@guards.test`,
  ]);
  await pool.query(`select given_customer($1, 'USDC', $2)`, [customer, amount]);
  return customer;
}

async function balances(pool: pg.Pool, customer: string) {
  const { rows } = await pool.query<{ available: number; held: number }>(
    `select available_minor::int as available, held_minor::int as held from customer_balances where customer_id = $1`,
    [customer],
  );
  return only(rows);
}

it('fifty requests under one key are one withdrawal and one hold', async () => {
  const { pool } = database;
  // Coins for one, and no refusal may be stored: who is judged again after the first has committed gets another answer.
  const customer = await openCustomer(pool, 101);
  const key = randomUUID();
  const answers = await times(50, () => request(pool, { customer, key, address: ADDRESS, refusedDailyMax: 0 }));
  expect(answers.filter(({ outcome }) => outcome === 'new')).toHaveLength(1);
  expect(answers.filter(({ outcome }) => outcome === 'existing')).toHaveLength(49);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['queued']));
  expect(await balances(pool, customer)).toEqual({ available: 0, held: 101 });
});

it('one key from many customers is one withdrawal of one of them', async () => {
  const { pool } = database;
  const customers = await times(10, () => openCustomer(pool, 1_000));
  const key = randomUUID();
  const answers = await Promise.all(customers.map((customer) => request(pool, { customer, key })));
  expect(answers.filter(({ outcome }) => outcome === 'new')).toHaveLength(1);
  const held = await Promise.all(customers.map(async (customer) => (await balances(pool, customer)).held));
  expect(held.reduce((sum, one) => sum + one, 0)).toBe(101);
});

it('two hundred requests at once never spend more than there is', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 1_000);
  const answers = await times(200, () => request(pool, { customer, refusedDailyMax: 1_000 }));
  expect(answers.every(({ outcome }) => outcome === 'new')).toBe(true);
  // Nine times 101 of 1,000: the tenth would be ten short.
  expect(answers.filter(({ status }) => status === 'queued')).toHaveLength(9);
  expect(answers.filter(({ refusal }) => refusal === 'insufficient_funds')).toHaveLength(191);
  expect(await balances(pool, customer)).toEqual({ available: 91, held: 909 });
});

it('the last coin can be withdrawn, and one more than the last cannot', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 101);
  expect(await request(pool, { customer, amount: 101 })).toMatchObject({ refusal: 'insufficient_funds' });
  expect(await request(pool, { customer, amount: 100 })).toMatchObject({ status: 'queued' });
  expect(await balances(pool, customer)).toEqual({ available: 0, held: 101 });
});

it('a refusal is kept under its key, whatever has changed since', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 100);
  const key = randomUUID();
  expect(await request(pool, { customer, key })).toMatchObject({ outcome: 'new', refusal: 'insufficient_funds' });
  await pool.query(`with t as (insert into ledger_transfers (asset_id, kind, source_id) values ('USDC', 'deposit', gen_random_uuid()) returning id)
    insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select t.id, 1, 'USDC', ledger_house_account('USDC', 'custody_hot'), b.available_account_id, 500
    from t, customer_balances b where b.customer_id = '${customer}'`);
  expect(await request(pool, { customer, key })).toMatchObject({ outcome: 'existing', refusal: 'insufficient_funds' });
  expect(await request(pool, { customer })).toMatchObject({ outcome: 'new', status: 'queued' });
});

it('of two look-alikes under two keys at once one is accepted', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 1_000);
  const answers = await times(2, () => request(pool, { customer, address: ADDRESS }));
  expect(answers.map(({ refusal }) => refusal).sort()).toEqual([null, 'look_alike'].sort());
});

it('a look-alike is accepted by naming the one that it resembles, and by nothing else', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 1_000);
  const first = await request(pool, { customer, address: ADDRESS });
  const other = await request(pool, { customer });
  const stranger = await request(pool, { customer: await openCustomer(pool, 1_000), address: ADDRESS });
  for (const lookAlikeOf of [null, other.id, stranger.id, randomUUID()]) {
    expect(await request(pool, { customer, address: ADDRESS, lookAlikeOf })).toMatchObject({
      outcome: 'new',
      refusal: 'look_alike',
    });
  }
  const second = await request(pool, { customer, address: ADDRESS, lookAlikeOf: first.id });
  expect(second).toMatchObject({ status: 'queued', look_alike_of: first.id });
  // The first go-ahead is spent on the second withdrawal: a third has to name that one.
  expect(await request(pool, { customer, address: ADDRESS, lookAlikeOf: first.id })).toMatchObject({
    refusal: 'look_alike',
  });
  expect(await request(pool, { customer, address: ADDRESS, lookAlikeOf: second.id })).toMatchObject({
    status: 'queued',
  });
});

it('another amount, or the same after ten minutes, is no look-alike', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 1_000);
  await request(pool, { customer, address: ADDRESS, amount: 100 });
  expect(await request(pool, { customer, address: ADDRESS, amount: 101 })).toMatchObject({ status: 'queued' });
  const client = await pool.connect();
  try {
    // The clock of this database may not be moved any more, so the row moves instead, and only until the rollback.
    await client.query('begin; alter table withdrawals disable trigger withdrawals_guard');
    const age = `update withdrawals set requested_at = requested_at - interval '10 minutes' where customer_id = $1`;
    await client.query(age, [customer]);
    const { rows } = await client.query<{ status: string }>(
      `select (w).status from request_withdrawal(gen_random_uuid(), gen_random_uuid(), $1, 'USDC', 'ethereum', $2, null, 100, 1, 'on_top', null, false, null, null, 100)`,
      [customer, ADDRESS],
    );
    expect(only(rows).status).toBe('queued');
  } finally {
    await client.query('rollback');
    client.release();
  }
});

it('refusals that are stored are bounded, and what is accepted is not', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 1_000);
  const refused = () => request(pool, { customer, amount: 5_000, refusedDailyMax: 3 });
  for (let count = 0; count < 3; count += 1)
    expect(await refused()).toMatchObject({ outcome: 'new', refusal: 'insufficient_funds' });
  expect(await refused()).toMatchObject({ outcome: 'refused_too_often', id: null });
  expect(await request(pool, { customer, refusedDailyMax: 3 })).toMatchObject({ outcome: 'new', status: 'queued' });
});

it('keys that are given up are bounded, and one that is known still answers', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 1_000);
  const key = randomUUID();
  expect(await giveUp(pool, customer, key, 1)).toBe('given_up');
  expect(await giveUp(pool, customer, randomUUID(), 1)).toBe('refused_too_often');
  expect(await giveUp(pool, customer, key, 1)).toBe('existing');
});

it('a key that is given up while it is requested is one or the other, and nobody waits for ever', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 100_000);
  const outcomes = await times(60, async () => {
    const key = randomUUID();
    const [requested, givenUp] = await Promise.all([request(pool, { customer, key }), giveUp(pool, customer, key)]);
    return [requested.outcome, givenUp].sort().join(' ');
  });
  expect(new Set(outcomes).size).toBeGreaterThan(0);
  for (const outcome of outcomes) expect(['existing new', 'existing given_up']).toContain(outcome);
  const won = outcomes.filter((outcome) => outcome === 'existing new').length;
  expect(await balances(pool, customer)).toEqual({ available: 100_000 - 101 * won, held: 101 * won });
});

it('giving a key up does not wait for a request of the same customer', async () => {
  const { pool } = database;
  const customer = await openCustomer(pool, 1_000);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `select outcome from request_withdrawal(gen_random_uuid(), gen_random_uuid(), $1, 'USDC', 'ethereum', $2, null, 100, 1, 'on_top', null, false, null, null, 100)`,
      [customer, ADDRESS],
    );
    // Waiting here, with the key already taken, is half of a deadlock with a request of that key.
    expect(await giveUp(pool, customer, randomUUID())).toBe('given_up');
  } finally {
    await client.query('rollback');
    client.release();
  }
});

it('somebody who is no customer gets an answer and no error', async () => {
  expect(await request(database.pool, { customer: CARLA })).toMatchObject({ outcome: 'no_customer', id: null });
  expect(await giveUp(database.pool, CARLA, randomUUID())).toBe('no_customer');
});

it('every balance is the sum of its entries, and every asset sums to zero', async () => {
  const { rows } = await database.pool.query<{ wrong: string }>(`
    with movement as (
      select credit_account_id as account, amount_minor as amount from ledger_entries
      union all select debit_account_id, -amount_minor from ledger_entries)
    select b.customer_id::text as wrong from customer_balances b
    where b.available_minor <> (select coalesce(sum(amount), 0) from movement where account = b.available_account_id)
      or b.held_minor <> (select coalesce(sum(amount), 0) from movement where account = b.held_account_id)
    union all select a.asset_id from movement m join ledger_accounts a on a.id = m.account group by a.asset_id having sum(m.amount) <> 0`);
  expect(rows).toEqual([]);
});
