import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { RESUME_PAYOUTS } from '#server/db/resume-payouts.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
/** Two web processes, so that nothing that holds within one of them can pass for a guard. */
let webs: readonly [TestWeb, TestWeb];

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: `0x${'c0'.repeat(20)}`, USDT: null } });
  webs = [await openTestWeb(database.db), await openTestWeb(database.open())];
});
afterAll(async () => {
  for (const web of webs) await web.close();
  await database.close();
});

const UNIT = 1_000_000n;
const FEE = 500_000n;
const aRequest = (amount: string) => ({
  asset: 'USDC',
  network: 'ethereum',
  address: `0x${randomUUID().replaceAll('-', '')}aabbccdd`,
  amount,
});
const aCustomer = async (usdcMinor: bigint): Promise<TestPerson> =>
  webs[0].as(await openPerson(database.db, { balances: { USDC: usdcMinor } }));
const requestAtOnce = (person: TestPerson, count: number, amount: string) =>
  Promise.all(
    Array.from({ length: count }, (_, turn) =>
      (turn % 2 === 0 ? person : webs[1].as(person)).request(aRequest(amount), randomUUID()),
    ),
  );
const balanceOf = async (person: TestPerson) => {
  const [row] = await database.run<{ available_minor: string; held_minor: string }>(
    `select available_minor, held_minor from customer_balances where customer_id = $1 and asset_id = 'USDC'`,
    [person.userId],
  );
  return { available: BigInt(row?.available_minor ?? -1), held: BigInt(row?.held_minor ?? -1) };
};
const codesOf = (answers: readonly { refusal: { code: string } | null }[]) =>
  answers.map((answer) => answer.refusal?.code ?? 'accepted').sort();

test('EC22, LE01: of twenty requests for the whole balance at once one is taken', async () => {
  const alice = await aCustomer(10n * UNIT + FEE);
  const answers = await requestAtOnce(alice, 20, '10');
  expect(codesOf(answers)).toEqual(['accepted', ...Array(19).fill('insufficient_funds')]);
  expect(await balanceOf(alice)).toEqual({ available: 0n, held: 10n * UNIT + FEE });
});

test('DB04: a balance for seven takes exactly seven of twenty, and no request ends in an error', async () => {
  const alice = await aCustomer(7n * (UNIT + FEE) + FEE);
  const answers = await requestAtOnce(alice, 20, '1');
  expect(codesOf(answers)).toEqual([...Array(7).fill('accepted'), ...Array(13).fill('insufficient_funds')]);
  expect(await balanceOf(alice)).toEqual({ available: FEE, held: 7n * (UNIT + FEE) });
});

test('LE02: what is held cannot be asked for a second time, though nothing has left yet', async () => {
  const alice = await aCustomer(5n * (UNIT + FEE));
  const codes: string[] = [];
  for (let turn = 0; turn < 6; turn += 1) codes.push(...codesOf([await alice.request(aRequest('1'), randomUUID())]));
  expect(codes).toEqual([...Array(5).fill('accepted'), 'insufficient_funds']);
});

test('AM03, AM04: the maximum that is quoted is taken, to the last unit, in both ways of paying the fee', async () => {
  const alice = await aCustomer(123_456_789n);
  const bob = await aCustomer(123_456_789n);
  type Quote = { maximumOnTop: string; maximumFromAmount: string; fee: string };
  const quote = await alice.query<Quote>('withdrawal.quote', { asset: 'USDC', network: 'ethereum' });
  const onTop = await alice.request(aRequest(quote.data.maximumOnTop), randomUUID());
  expect(onTop.data.withdrawal).toMatchObject({ amount: '122.956789', fee: '0.5', total: '123.456789' });
  const whole = { ...aRequest(quote.data.maximumFromAmount), feeMode: 'from_amount', quotedFee: quote.data.fee };
  const fromAmount = await bob.request(whole, randomUUID());
  expect(fromAmount.data.withdrawal).toMatchObject({ amount: '122.956789', fee: '0.5', total: '123.456789' });
  for (const person of [alice, bob]) expect(await balanceOf(person)).toEqual({ available: 0n, held: 123_456_789n });
});

test('AM04: a fee that changed since the review is refused under the key, not taken in silence', async () => {
  const alice = await aCustomer(100n * UNIT);
  const key = randomUUID();
  const body = { ...aRequest('1'), quotedFee: '0.4' };
  expect(codesOf([await alice.request(body, key), await alice.request(body, key)])).toEqual([
    'fee_changed',
    'fee_changed',
  ]);
  expect(await balanceOf(alice)).toEqual({ available: 100n * UNIT, held: 0n });
});

test('AD07: a pair that was switched off between quote and request is refused before any hold', async () => {
  const alice = await aCustomer(100n * UNIT);
  await alice.request(aRequest('1'), randomUUID());
  await database.run(`update asset_networks set enabled = false where asset_id = 'USDC'`);
  try {
    expect(codesOf([await alice.request(aRequest('1'), randomUUID())])).toEqual(['pair_disabled']);
  } finally {
    await database.run(
      `update asset_networks set enabled = true from (select set_config('session_replication_role', 'replica', true)) past where asset_id = 'USDC'`,
    );
  }
  expect((await balanceOf(alice)).held).toBe(UNIT + FEE);
});

test.each([
  ['all', ''],
  ['asset', 'USDC'],
  ['network', 'ethereum'],
])('a pause of scope %s refuses new requests, and a known key is answered all the same', async (scope, target) => {
  const alice = await aCustomer(100n * UNIT);
  const key = randomUUID();
  const body = aRequest('1');
  await alice.request(body, key);
  await database.run(`insert into switches (scope, target, reason, paused_by) values ($1, $2, 'test', 'test')`, [
    scope,
    target,
  ]);
  try {
    expect(codesOf([await alice.request(aRequest('1'), randomUUID())])).toEqual(['pair_paused']);
    expect((await alice.request(body, key)).data.replayed).toBe(true);
    const quote = await alice.query<{ paused: boolean }>('withdrawal.quote', { asset: 'USDC', network: 'ethereum' });
    expect(quote.data.paused).toBe(true);
  } finally {
    await database.run(RESUME_PAYOUTS);
  }
});

test('a frozen customer is refused, and still sees what is under an old key', async () => {
  const alice = await aCustomer(100n * UNIT);
  const key = randomUUID();
  const body = aRequest('1');
  await alice.request(body, key);
  await database.run(`update customers set frozen_at = now() where id = $1`, [alice.userId]);
  expect(codesOf([await alice.request(aRequest('1'), randomUUID())])).toEqual(['customer_frozen']);
  expect((await alice.request(body, key)).data.replayed).toBe(true);
});

test('LE08: two hundred requests of forty customers at once: each answer names a withdrawal that exists', async () => {
  const customers = await Promise.all(Array.from({ length: 40 }, () => aCustomer(5n * (UNIT + FEE))));
  const answers = (await Promise.all(customers.map((customer) => requestAtOnce(customer, 5, '1')))).flat();
  const ids = answers.map((answer) => answer.data.withdrawal.withdrawalId);
  expect(new Set(ids).size).toBe(200);
  const rows = await database.run('select 1 from withdrawals where id = any ($1)', [ids]);
  expect(rows).toHaveLength(200);
  for (const customer of customers)
    expect(await balanceOf(customer)).toEqual({ available: 0n, held: 5n * (UNIT + FEE) });
});

test('DB06: with three connections ten requests and ten looks at once all finish', async () => {
  const small = await openTestWeb(database.open({ max: 3 }));
  try {
    const alice = small.as(await openPerson(database.db, { balances: { USDC: 100n * UNIT } }));
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => alice.request(aRequest('1'), randomUUID())),
      ...Array.from({ length: 10 }, () => alice.query('withdrawal.list', { limit: 5 })),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  } finally {
    await small.close();
  }
});

test('EC18: a server that makes every transaction serialisable changes nothing for duplicates', async () => {
  await database.run(
    `do $$ begin execute format('alter database %I set default_transaction_isolation = serializable', current_database()); end $$`,
  );
  const strict = await openTestWeb(database.open());
  try {
    const alice = strict.as(await openPerson(database.db, { balances: { USDC: 100n * UNIT } }));
    const key = randomUUID();
    const body = aRequest('1');
    const answers = await Promise.all(Array.from({ length: 20 }, () => alice.request(body, key)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map((answer) => answer.data.withdrawal.withdrawalId)).size).toBe(1);
  } finally {
    await strict.close();
    await database.run(
      `do $$ begin execute format('alter database %I reset default_transaction_isolation', current_database()); end $$`,
    );
  }
});

test('DB18: a column that a migration adds while we run breaks no planned statement', async () => {
  const alice = await aCustomer(100n * UNIT);
  const key = randomUUID();
  const body = aRequest('1');
  await alice.request(body, key);
  await database.run('alter table withdrawals add column added_while_running text');
  expect((await alice.request(body, key)).data.replayed).toBe(true);
  expect((await alice.request(aRequest('1'), randomUUID())).data.replayed).toBe(false);
  expect((await alice.query<{ items: object[] }>('withdrawal.list', { limit: 10 })).data.items).toHaveLength(2);
});

test('stored refusals are bounded: after fifty in a day nothing more is kept, and a known key is still answered', async () => {
  const alice = await aCustomer(0n);
  const key = randomUUID();
  const body = aRequest('1');
  expect(codesOf([await alice.request(body, key)])).toEqual(['insufficient_funds']);
  for (let turn = 1; turn < 50; turn += 1) await alice.request(aRequest('1'), randomUUID());
  const beyond = await alice.request(aRequest('1'), randomUUID());
  expect([beyond.status, beyond.refusal?.code]).toEqual([429, 'refused_too_often']);
  expect(codesOf([await alice.request(body, key)])).toEqual(['insufficient_funds']);
  const rows = await database.run('select 1 from withdrawals where customer_id = $1', [alice.userId]);
  expect(rows).toHaveLength(50);
});

test('every request left the ledger in balance, and only accepted ones have a hold', async () => {
  const [sums] = await database.run<{ wrong: string }>(`
    select count(*) as wrong from withdrawals w
    where (w.status <> 'refused') is distinct from exists (select 1 from ledger_transfers t where t.source_id = w.id and t.kind = 'hold')`);
  expect(sums?.wrong).toBe('0');
  const drifted = await database.run(`
    select b.customer_id from customer_balances b
    where b.available_minor <> (select coalesce(sum(case when e.credit_account_id = b.available_account_id then e.amount_minor else -e.amount_minor end), 0)
      from ledger_entries e where b.available_account_id in (e.credit_account_id, e.debit_account_id))`);
  expect(drifted).toEqual([]);
});
