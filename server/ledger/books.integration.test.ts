import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credit, openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { closeBalances } from '#server/ledger/close-balances.ts';
import { findTrialBalance, type TrialBalance } from '#server/ledger/find-trial-balance.ts';
import { verifyLedger } from '#server/ledger/verify-ledger.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

const UNIT = 1_000_000n;
let database: TestDatabase;
let web: TestWeb;
let olga: TestPerson;
let oscar: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase({ migrate, max: 12 });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  web = await openTestWeb(database.db);
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
});
afterAll(async () => {
  await web.close();
  await database.close();
});

const aCustomer = async (units = 100n) => web.as(await openPerson(database.db, { balances: { USDC: units * UNIT } }));
const look = <Row extends object>(text: string, values: readonly unknown[]) =>
  database.db.query<Row>({ name: '', text }, values);
const accept = async (person: TestPerson, amount = 1_000_000n) => {
  const [row] = await look<{ id: string }>(
    `select (w).id from request_withdrawal(gen_random_uuid(), gen_random_uuid(), $1, 'USDC', 'ethereum', $2, null, $3, 500000, 'on_top',
       null, false, null, null, 100000)`,
    [person.userId, `0x${randomUUID()}`, amount.toString()],
  );
  return row?.id ?? '';
};
const released = `with moved as (
  update withdrawals w set status = 'cancelled', ended_at = protocol_now() where id = $1 returning w) select ledger_void(m.w) from moved m`;
const transfersOf = (id: string) =>
  look<{ kind: string }>('select kind from ledger_transfers where source_id = $1 order by id', [id]);
const sums = (balance: TrialBalance) => balance.assets.map(({ assetId, sum }) => `${assetId} ${sum}`);
const NOTHING = ['BTC 0', 'ETH 0', 'SOL 0', 'USDC 0', 'USDT 0', 'XRP 0'];

test('LE03, LE05, EC89: a hold that is released from ten sides at once is released once, in a hundred rounds', async () => {
  const alice = await aCustomer(1_000n);
  for (let round = 0; round < 100; round += 1) {
    const id = await accept(alice);
    const outcomes = await Promise.allSettled(
      Array.from({ length: round < 10 ? 10 : 2 }, () => database.db.query({ name: '', text: released }, [id])),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await transfersOf(id)).map(({ kind }) => kind)).toEqual(['hold', 'void']);
  }
  expect(await verifyLedger(database, { deep: true })).toEqual([]);
});

test('LE03, EC89: of a release and a settlement at once one wins, and the entries of the withdrawal agree with its end', async () => {
  const id = await accept(await aCustomer());
  const settle = `with moved as (select w from withdrawals w where w.id = $1) select ledger_post(m.w) from moved m`;
  await Promise.allSettled([
    database.db.query({ name: '', text: released }, [id]),
    database.db.query({ name: '', text: settle }, [id]),
  ]);
  expect((await transfersOf(id)).map(({ kind }) => kind)).toEqual(['hold', 'void']);
});

test('LE04: what was released cannot be settled through its old hold', async () => {
  const id = await accept(await aCustomer());
  await database.run(released, [id]);
  const settle = database.run('select ledger_post(w) from withdrawals w where w.id = $1', [id]);
  await expect(settle).rejects.toMatchObject({ constraint: 'ledger_transfers_post_void_exclusive' });
  const complete = database.run(`update withdrawals set status = 'completed' where id = $1`, [id]);
  await expect(complete).rejects.toMatchObject({ constraint: expect.stringMatching(/^withdrawals_/) });
});

test('LE06: a release gives amount and fee back, once', async () => {
  const alice = await aCustomer(10n);
  const id = await accept(alice, 9_500_000n);
  const available = async () =>
    (
      await database.run(
        `select available_minor as a from customer_balances where customer_id = $1 and asset_id = 'USDC'`,
        [alice.userId],
      )
    )[0]?.a;
  expect(await available()).toBe('0');
  await database.run(released, [id]);
  expect(await available()).toBe('10000000');
});

test('LE07: a thousand withdrawals of tenths and odd cents leave the trial balance at exactly zero', async () => {
  const alice = await aCustomer(1_000_000n);
  const accepted = await look(
    `select r.outcome from generate_series(1, 1000) g, request_withdrawal(gen_random_uuid(), gen_random_uuid(), $1, 'USDC', 'ethereum',
       '0x' || g, null, (array[100000, 200000, 324710000, 181510000])[g % 4 + 1], 500000, 'on_top', null, false, null, null, 100000) r`,
    [alice.userId],
  );
  expect(accepted).toHaveLength(1_000);
  expect(sums(await findTrialBalance(database))).toEqual(NOTHING);
});

test('the trial balance is the same before and after a closing, and reads only what came after it', async () => {
  const before = await findTrialBalance(database);
  const { throughTransferId } = await closeBalances(database);
  const after = await findTrialBalance(database);
  expect(after.assets).toEqual(before.assets);
  expect(after.closedThrough).toBe(throughTransferId?.toString());
  expect(await closeBalances(database)).toEqual({ throughTransferId: null });
  await credit(database.db, { userId: (await aCustomer(1n)).userId, assetId: 'USDC', minor: 5n });
  expect(sums(await findTrialBalance(database))).toEqual(NOTHING);
  expect(await verifyLedger(database, { deep: true })).toEqual([]);
});

test('a closing in the middle of bookings misses none of them, however ids and commits are mixed', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => aCustomer()));
  const closings: unknown[] = [];
  await Promise.all([
    ...people.map(async (person) => {
      for (let turn = 0; turn < 15; turn += 1) await accept(person);
    }),
    (async () => {
      for (let turn = 0; turn < 10; turn += 1) closings.push(await closeBalances(database));
    })(),
  ]);
  expect(closings).toHaveLength(10);
  await closeBalances(database);
  expect(await verifyLedger(database, { deep: true })).toEqual([]);
});

test('a closing keeps the accounts that moved and no others, in as many steps as it is told, and every sum stays exact', async () => {
  await closeBalances(database);
  const [alice, bob] = [await aCustomer(), await aCustomer()];
  await closeBalances(database);
  const kept = async () => {
    const [row] = await database.run(
      'select count(*)::integer as rows, count(distinct closing_id)::integer as steps from ledger_closed_balances',
    );
    return { rows: Number(row?.rows), steps: Number(row?.steps) };
  };
  const [before, trial] = [await kept(), await findTrialBalance(database)];
  for (let turn = 0; turn < 5; turn += 1) await accept(alice);
  const open = await findTrialBalance(database);
  expect(open.assets).not.toEqual(trial.assets);
  const holder = await database.connect();
  await holder.query('begin');
  await holder.query('lock table ledger_closings in share row exclusive mode');
  const two = [1, 2].map(() => closeBalances(database, { transfersAtOnce: 2 }));
  await holder.query('rollback');
  await holder.end();
  await Promise.all(two);
  // Three steps of five transfers; available and held of one person, whatever the number of the others.
  expect(await kept()).toEqual({ rows: before.rows + 6, steps: before.steps + 3 });
  expect((await findTrialBalance(database)).assets).toEqual(open.assets);
  expect(await verifyLedger(database, { deep: true })).toEqual([]);
  await accept(bob);
  await closeBalances(database);
  expect(sums(await findTrialBalance(database))).toEqual(NOTHING);
  expect(await verifyLedger(database, { deep: true })).toEqual([]);
});

test('EC90: a closing that dies between deciding and writing is decided anew, with the same result', async () => {
  await accept(await aCustomer());
  const before = await findTrialBalance(database);
  const dying = await database.connect();
  await dying.query('begin');
  await dying.query('lock table ledger_transfers in share row exclusive mode');
  await dying.query('insert into ledger_closings (through_transfer_id) select max(id) from ledger_transfers');
  const { rows } = await dying.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.run('select pg_terminate_backend($1)', [rows[0]?.pid]);
  expect((await closeBalances(database)).throughTransferId).not.toBeNull();
  expect((await findTrialBalance(database)).assets).toEqual(before.assets);
  expect(await verifyLedger(database, { deep: true })).toEqual([]);
});

const confirmAdjustment = (adjustmentId: string) =>
  oscar.confirm('operator.adjustments.confirm', { adjustmentId }, { deed: 'adjust', subject: adjustmentId });

test('an adjustment is proposed by one person and booked when another confirms, once', async () => {
  const alice = await aCustomer(1n);
  const adjustmentId = randomUUID();
  const body = {
    adjustmentId,
    asset: 'USDC',
    debit: { kind: 'suspense' },
    credit: { kind: 'customer_available', customerId: alice.userId },
    amount: '2.5',
    reason: 'a deposit without a name',
  };
  const presses = await Promise.all([1, 2, 3].map(() => olga.mutate('operator.adjustments.propose', body)));
  expect(presses.map(({ data }) => data)).toEqual(Array(3).fill({ kind: 'proposed' }));
  const other = { ...body, amount: '3' };
  expect((await olga.mutate('operator.adjustments.propose', other)).refusal?.code).toBe('already_done');
  expect(await look('select 1 from audit_log where subject = $1', [adjustmentId])).toHaveLength(1);
  expect((await olga.mutate('operator.adjustments.confirm', { adjustmentId })).refusal?.code).toBe(
    'second_person_needed',
  );
  expect(await transfersOf(adjustmentId)).toHaveLength(0);
  const answers = await Promise.all([1, 2, 3].map(() => confirmAdjustment(adjustmentId)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await transfersOf(adjustmentId)).toHaveLength(1);
  const { assets } = (await oscar.query<TrialBalance>('operator.trialBalance')).data;
  const usdc = assets.find(({ assetId }) => assetId === 'USDC');
  expect(usdc?.accounts.find(({ kind }) => kind === 'suspense')).toMatchObject({ debits: '2.5', balance: '-2.5' });
  expect(usdc?.sum).toBe('0');
});

test('an adjustment that would take more than somebody has is refused, and stays open', async () => {
  const alice = await aCustomer(1n);
  const adjustmentId = randomUUID();
  const side = { kind: 'customer_available', customerId: alice.userId };
  const body = {
    adjustmentId,
    asset: 'USDC',
    debit: side,
    credit: { kind: 'suspense' },
    amount: '2',
    reason: 'too much',
  };
  await olga.mutate('operator.adjustments.propose', body);
  expect((await confirmAdjustment(adjustmentId)).refusal?.code).toBe('insufficient_funds');
  const [row] = await database.run('select confirmed_at from ledger_adjustments where id = $1', [adjustmentId]);
  expect(row?.confirmed_at).toBeNull();
});

test('books that were tampered with are found: by which customer, asset and amount', async () => {
  const alice = await aCustomer(1n);
  await database.run('alter table customer_balances disable trigger customer_balances_only_by_ledger');
  await database.run(
    `update customer_balances set available_minor = available_minor + 7 where customer_id = $1 and asset_id = 'USDC'`,
    [alice.userId],
  );
  expect(await verifyLedger(database, { deep: false })).toEqual([
    { kind: 'available_differs', assetId: 'USDC', customerId: alice.userId, differenceMinor: 7n },
  ]);
  await database.run(
    `update customer_balances set available_minor = available_minor - 7 where customer_id = $1 and asset_id = 'USDC'`,
    [alice.userId],
  );
  await database.run('alter table customer_balances enable trigger customer_balances_only_by_ledger');
});
