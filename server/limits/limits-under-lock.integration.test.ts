import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareWithLimits, type LimitReason, type LimitRules, SEEDED_TIERS } from '#domain/withdrawal-limits.ts';
import { credit, openPerson } from '#server/api/api-world.test-support.ts';
import type { Statement } from '#server/db/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { withdrawalColumns } from '#server/sql/withdrawal-columns.sql.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

const UNIT = 1_000_000n;
const FEE = 500_000n;
const DOLLAR = 100_000_000n;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrate, max: 12 });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  await database.run('update protocol_settings set clock_movable = true');
});
afterAll(() => database.close());

async function aCustomer(tier: Partial<LimitRules>, units = 1_000_000n): Promise<string> {
  const rules = { ...SEEDED_TIERS.institution, ...tier };
  const id = `tier ${randomUUID()}`;
  await database.run(`insert into tiers values ($1, $1, $2, $3, $4, $5, $6, $7, '1 hour', 100000)`, [
    id,
    rules.autoLimit24hReferenceMinor.toString(),
    rules.autoLimit30dReferenceMinor.toString(),
    rules.secondApprovalReferenceMinor.toString(),
    rules.hardLimit24hReferenceMinor?.toString() ?? null,
    rules.newAddressAutoReferenceMinor?.toString() ?? null,
    rules.velocityMax,
  ]);
  const { userId } = await openPerson(database.db, { tier: id });
  await credit(database.db, { userId, assetId: 'USDC', minor: units * UNIT });
  return userId;
}

// What the accepting call does when nobody's confirmation is asked for.
const requestWithdrawalSql: Statement = {
  name: 'request_withdrawal',
  text: `
    select r.outcome, r.outbox_id, r.look_alike, protocol_now() as now, ${withdrawalColumns('(r.w)')}
    from request_withdrawal($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
      true, $16, $17) r`,
};

interface Asked {
  readonly amount?: bigint;
  readonly value?: bigint | null;
  readonly address?: string;
  readonly reasons?: readonly string[];
}

/** A request of the accepting call itself: the total of it is the amount and the fee. */
async function ask(customerId: string, asked: Asked = {}, db = database.db) {
  const { amount = UNIT, value = DOLLAR, address = `0x${randomUUID()}`, reasons = [] } = asked;
  const id = randomUUID();
  const values = [id, id, customerId, 'USDC', 'ethereum', address, null, amount.toString(), FEE.toString(), 'on_top'];
  const [row] = await db.query<{ outcome: string; status: string; refusal_code: string | null }>(requestWithdrawalSql, [
    ...values,
    ...[null, false, null, null, 100_000, value?.toString() ?? null, reasons],
  ]);
  const [kept] = await db.query<{ approval_reasons: string[]; approvals_required: number }>(
    { name: '', text: 'select approval_reasons, approvals_required from withdrawals where id = $1' },
    [id],
  );
  return {
    id,
    status: row?.refusal_code ?? row?.status,
    reasons: kept?.approval_reasons,
    people: kept?.approvals_required,
  };
}

test('LE09: parallel requests never pass the 24-hour limit without a person, whoever counts first', async () => {
  // 95 of 100 are used; 3 and 4 come at once, and twenty more.
  const alice = await aCustomer({ autoLimit24hReferenceMinor: 100n * DOLLAR });
  await ask(alice, { value: 95n * DOLLAR });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => ask(alice, { value: BigInt(3 + (turn % 2)) * DOLLAR })),
  );
  const [sum] = await database.run<{ queued: string }>(
    `select sum(value_reference_minor) as queued from withdrawals where customer_id = $1 and status = 'queued'`,
    [alice],
  );
  expect(BigInt(sum?.queued ?? 0)).toBeLessThanOrEqual(100n * DOLLAR);
  expect(answers.filter(({ status }) => status === 'queued')).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 'awaiting_approval')).toHaveLength(19);
});

test('two hundred parallel requests on one account never overdraw, never exceed a limit and never deadlock', async () => {
  // Coins for 100 requests, a hard limit for 60 of them, and 40 that no person needs to see.
  const alice = await aCustomer(
    { autoLimit24hReferenceMinor: 40n * DOLLAR, hardLimit24hReferenceMinor: 60n * DOLLAR, velocityMax: 1_000 },
    150n,
  );
  const [before] = await database.run<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  const other = database.open({ max: 20, lockTimeoutMs: 30_000, connectTimeoutMs: 60_000 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => ask(alice, {}, other)));
  const count = (status: string) => answers.filter((answer) => answer.status === status).length;
  expect([count('queued'), count('awaiting_approval'), count('limit_exceeded')]).toEqual([40, 20, 140]);
  const [books] = await database.run<{ available_minor: string; held_minor: string }>(
    `select available_minor, held_minor from customer_balances where customer_id = $1 and asset_id = 'USDC'`,
    [alice],
  );
  expect(BigInt(books?.held_minor ?? 0)).toBe(60n * (UNIT + FEE));
  expect(BigInt(books?.available_minor ?? 0)).toBe(60n * UNIT);
  const [after] = await database.run('select deadlocks from pg_stat_database where datname = current_database()');
  expect(after).toEqual(before);
});

test('LE01, EC22: of twenty requests for the whole balance one is accepted, and a constraint would stop a second too', async () => {
  const alice = await aCustomer({}, 10n);
  const all = 10n * UNIT - FEE;
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(alice, { amount: all })));
  expect(answers.filter(({ status }) => status === 'queued')).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 'insufficient_funds')).toHaveLength(19);
  const overdraw = database.run(
    `with t as (insert into ledger_transfers (asset_id, kind, source_id) values ('USDC', 'deposit', gen_random_uuid()) returning id)
     insert into ledger_entries select t.id, 1, 'USDC', b.available_account_id, ledger_house_account('USDC', 'suspense'), 1
     from t, customer_balances b where b.customer_id = $1 and b.asset_id = 'USDC'`,
    [alice],
  );
  await expect(overdraw).rejects.toMatchObject({ constraint: 'customer_balances_available_not_negative' });
});

test('LE02: what is on hold is not there to be spent', async () => {
  const alice = await aCustomer({}, 9n);
  const answers: unknown[] = [];
  for (let turn = 0; turn < 7; turn += 1) answers.push((await ask(alice)).status);
  expect(answers).toEqual([...Array(6).fill('queued'), 'insufficient_funds']);
});

test('what was cancelled, rejected or failed gives its limit back; what completed does not', async () => {
  const alice = await aCustomer({ autoLimit24hReferenceMinor: 10n * DOLLAR });
  const first = await ask(alice, { value: 10n * DOLLAR });
  expect((await ask(alice, { value: 1n })).reasons).toEqual(['limit_24h']);
  await database.run(
    `with moved as (update withdrawals w set status = 'cancelled' where id = $1 returning w) select ledger_void(m.w) from moved m`,
    [first.id],
  );
  // The one that waits for a person counts its own 1.
  expect((await ask(alice, { value: 10n * DOLLAR - 1n })).reasons).toEqual([]);
  expect((await ask(alice, { value: 1n })).reasons).toEqual(['limit_24h']);
});

test('the window rolls: after 24 hours, to the second, a request no longer counts; after 30 days not even in the month', async () => {
  const alice = await aCustomer({ autoLimit24hReferenceMinor: 10n * DOLLAR, autoLimit30dReferenceMinor: 20n * DOLLAR });
  const at = (offset: string) => database.run(`update protocol_settings set clock_offset = $1::interval`, [offset]);
  try {
    await ask(alice, { value: 10n * DOLLAR });
    await at('23 hours 59 minutes');
    expect((await ask(alice, { value: 10n * DOLLAR })).reasons).toEqual(['limit_24h']);
    await at('24 hours 1 minute');
    expect((await ask(alice, { value: 1n })).reasons).toEqual(['limit_24h', 'limit_30d']);
    await at('30 days 1 minute');
    expect((await ask(alice, { value: 9n * DOLLAR })).reasons).toEqual([]);
  } finally {
    await at('0');
  }
});

test('a limit that approval cannot lift refuses, and the refusal is kept under its key', async () => {
  const alice = await aCustomer({ hardLimit24hReferenceMinor: 5n * DOLLAR });
  const answer = await ask(alice, { value: 5n * DOLLAR + 1n });
  expect(answer.status).toBe('limit_exceeded');
  const [row] = await database.run('select status, refusal_code from withdrawals where id = $1', [answer.id]);
  expect(row).toEqual({ status: 'refused', refusal_code: 'limit_exceeded' });
  expect((await ask(alice, { value: 5n * DOLLAR })).status).toBe('queued');
});

test('an asset’s own cap counts its units, and an operator’s wish to see everything is heard', async () => {
  const alice = await aCustomer({});
  await database.run(`update assets set cap_24h_minor = $1 where id = 'USDC'`, [(3n * (UNIT + FEE)).toString()]);
  try {
    const answers = [await ask(alice), await ask(alice), await ask(alice), await ask(alice)];
    expect(answers.map(({ reasons }) => reasons)).toEqual([[], [], [], ['asset_cap']]);
  } finally {
    await database.run('alter table assets disable trigger assets_wider_confirmed');
    await database.run(`update assets set cap_24h_minor = null where id = 'USDC'`);
    await database.run('alter table assets enable trigger assets_wider_confirmed');
  }
  const bob = await aCustomer({});
  await database.run('update customers set review_all = true where id = $1', [bob]);
  expect((await ask(bob)).reasons).toEqual(['approval_switch']);
});

test('much money to a new address waits for a person; the second time the address is known', async () => {
  const alice = await aCustomer({ newAddressAutoReferenceMinor: 10n * DOLLAR });
  const address = `0x${randomUUID()}`;
  expect((await ask(alice, { address, value: 10n * DOLLAR })).reasons).toEqual([]);
  expect((await ask(alice, { value: 10n * DOLLAR + 1n })).reasons).toEqual(['new_address']);
  expect((await ask(alice, { address, amount: 2n * UNIT, value: 10n * DOLLAR + 1n })).reasons).toEqual([]);
});

test('without a fresh price a person looks, and without any price two do', async () => {
  const alice = await aCustomer({});
  expect(await ask(alice, { reasons: ['price_stale'] })).toMatchObject({ status: 'awaiting_approval', people: 1 });
  const missing = await ask(alice, { value: null, reasons: ['price_missing'] });
  expect(missing).toMatchObject({ status: 'awaiting_approval', people: 2, reasons: ['price_missing'] });
});

test('the accepting call and the domain compare alike: any rules, any usage', async () => {
  const amount = fc.bigInt({ min: 0n, max: 30n });
  const cases = fc.record({
    rules: fc.record({
      autoLimit24hReferenceMinor: amount,
      autoLimit30dReferenceMinor: amount,
      secondApprovalReferenceMinor: amount,
      hardLimit24hReferenceMinor: fc.option(amount.map((value) => value + 10n)),
      velocityMax: fc.integer({ min: 1, max: 4 }),
    }),
    values: fc.array(fc.bigInt({ min: 0n, max: 12n }), { minLength: 1, maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ rules, values }) => {
      const full: LimitRules = { ...SEEDED_TIERS.institution, ...rules };
      const alice = await aCustomer(full);
      let used = 0n;
      let requests = 0;
      for (const value of values) {
        const usage = {
          used24hReferenceMinor: used,
          used30dReferenceMinor: used,
          assetUsed24hMinor: 0n,
          requestsInWindow: requests,
        };
        const verdict = compareWithLimits({ totalMinor: UNIT + FEE, valueReferenceMinor: value }, full, usage);
        const answer = await ask(alice, { value });
        if (verdict.kind === 'exceeded') {
          expect(answer.status).toBe('limit_exceeded');
          continue;
        }
        const expected: readonly LimitReason[] = verdict.kind === 'within' ? [] : verdict.reasons;
        expect(answer.reasons).toEqual(expected);
        expect(answer.people).toBe(expected.includes('second_approval') ? 2 : expected.length > 0 ? 1 : 0);
        used += value;
        requests += 1;
      }
    }),
    { numRuns: 40 },
  );
});
