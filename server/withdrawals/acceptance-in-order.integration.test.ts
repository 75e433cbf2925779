import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPerson } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { requestWithdrawalsSql } from '#server/sql/request-withdrawals.sql.ts';
import { acceptAlone } from '#server/withdrawals/accept-alone.ts';
import type { AcceptanceCall, AcceptedRow } from '#server/withdrawals/acceptance-call.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  // Every limit within reach of a few requests, and no code in the way.
  await database.run(
    `update tiers set step_up_reference_minor = null, new_address_auto_reference_minor = 30, velocity_max = 4, auto_limit_24h_reference_minor = 90,
       hard_limit_24h_reference_minor = 150, auto_limit_30d_reference_minor = 110, second_approval_reference_minor = 85
     from (select set_config('session_replication_role', 'replica', true)) past where id = 'standard'`,
  );
  await database.run(
    `update assets set cap_24h_minor = 1500010 from (select set_config('session_replication_role', 'replica', true)) past where id = 'USDC'`,
  );
});
afterAll(() => database.close());

const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** One request as it is drawn: small numbers, so that sums, copies and refusals meet often. */
const request = fc.record({
  customer: fc.integer({ min: 0, max: 1 }),
  /** Another request's key, by its place; its own where that place is its own or later. */
  copyOf: seldom(fc.nat({ max: 9 })),
  asset: fc.constantFrom('USDC', 'USDC', 'USDT'),
  address: fc.constantFrom('a', 'b', 'c'),
  amount: fc.integer({ min: 1, max: 2 }),
  value: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 90 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  refusal: seldom(fc.constant('below_minimum')),
  /** Whether it names what it looks like, by the place of a request of the batch before. */
  names: seldom(fc.nat({ max: 9 })),
});
type Drawn = typeof request extends fc.Arbitrary<infer One> ? One : never;
const batches = fc.array(fc.array(request, { minLength: 6, maxLength: 12 }), { minLength: 2, maxLength: 2 });

const FEE = { USDC: '500000', USDT: '500000' };
async function feesAsSeeded() {
  const rows = await database.run<{ asset_id: 'USDC' | 'USDT'; fee: string }>(
    `select asset_id, fee_minor::text as fee from asset_networks where network_id = 'ethereum' and asset_id in ('USDC', 'USDT')`,
  );
  for (const row of rows) FEE[row.asset_id] = row.fee;
}

function toCalls(batch: readonly Drawn[], customers: readonly string[], before: readonly AcceptanceCall[]) {
  const calls: AcceptanceCall[] = [];
  for (const drawn of batch) {
    const { copyOf, names, customer, ...one } = drawn;
    const key = (copyOf === null ? undefined : calls[copyOf]?.key) ?? randomUUID();
    calls.push({
      ...{ id: randomUUID(), key, customer: customers[customer] ?? '', network: 'ethereum', memo: null },
      ...{
        asset: one.asset,
        address: one.address,
        amount: String(one.amount),
        fee: FEE[one.asset],
        fee_mode: 'on_top',
      },
      ...{ refusal: one.refusal, needs_approval: false, clicked_at: null, refused_daily_max: 5, reasons: [] },
      ...{ look_alike_of: (names === null ? undefined : before[names]?.id) ?? null },
      ...{ value: one.value === null ? null : String(one.value), totp_step: null, challenge: null, fingerprint: null },
    });
  }
  return calls;
}

/** What a customer is told, with places in the stead of ids. */
function told(row: AcceptedRow, calls: readonly AcceptanceCall[]) {
  const place = calls.findIndex(({ id }) => id === row.id);
  return [row.outcome, place, row.status, row.refusal_code, row.outbox_id !== null, row.look_alike_of !== null];
}

async function booksOf(customers: readonly string[]) {
  return await database.run<{ rows: [status: string, refusal: string | null, reasons: string[]][] }>(
    `select b.asset_id, b.available_minor, b.held_minor,
       (select coalesce(jsonb_agg(jsonb_build_array(u.span_hours, u.value_reference_minor, u.total_minor, u.requests) order by u.span_hours), '[]')
         from withdrawal_usage u where u.customer_id = b.customer_id and u.asset_id = b.asset_id) as usage,
       (select coalesce(jsonb_agg(jsonb_build_array(w.status, w.refusal_code, w.approval_reasons, w.approvals_required, w.amount_minor, w.address)
           order by w.status, w.refusal_code, w.approval_reasons, w.amount_minor, w.address, w.approvals_required), '[]')
         from withdrawals w where w.customer_id = b.customer_id and w.asset_id = b.asset_id) as rows
     from unnest($1::uuid[]) with ordinality as c(id, place) join customer_balances b on b.customer_id = c.id
     where b.asset_id in ('USDC', 'USDT') order by c.place, b.asset_id`,
    [customers],
  );
}

test('a batch ends as its requests would have ended one after the other: outcomes, reasons, look-alikes, holds and limits', async () => {
  await feesAsSeeded();
  const seedOfRun = Number(process.env.FAST_CHECK_SEED ?? 20_261_201);
  process.stdout.write(`batches beside one after the other from seed ${seedOfRun}\n`);
  const seen = new Set<string>();
  for (const drawn of fc.sample(batches, { numRuns: 6, seed: seedOfRun })) {
    const funds = { USDC: 8n + 5n * BigInt(FEE.USDC), USDT: 3n + 2n * BigInt(FEE.USDT) };
    const open = async () => (await openPerson(database.db, { balances: funds, tier: 'standard' })).userId;
    const [together, alone] = [
      [await open(), await open()],
      [await open(), await open()],
    ];
    let [callsBefore, twinsBefore]: [AcceptanceCall[], AcceptanceCall[]] = [[], []];
    for (const batch of drawn) {
      const [calls, twins] = [toCalls(batch, together, callsBefore), toCalls(batch, alone, twinsBefore)];
      const rows = await database.db.query<AcceptedRow & { ordinal: number }>(requestWithdrawalsSql, [
        JSON.stringify(calls),
      ]);
      const answers = rows.sort((one, other) => one.ordinal - other.ordinal).map((row) => told(row, calls));
      const expected: unknown[] = [];
      // Within a batch customers are taken one after the other: a key of two customers is the first one's.
      const order = [...twins.keys()].sort((one, other) => {
        const [a, b] = [calls[one]?.customer ?? '', calls[other]?.customer ?? ''];
        return a < b ? -1 : a > b ? 1 : one - other;
      });
      for (const place of order) {
        const twin = twins[place];
        if (twin !== undefined) expected[place] = told(await acceptAlone(database, twin), twins);
      }
      expect(answers).toEqual(expected);
      for (const [outcome, , , refusal] of answers) seen.add(String(refusal ?? outcome));
      [callsBefore, twinsBefore] = [calls, twins];
    }
    const books = await booksOf(together);
    expect(books).toEqual(await booksOf(alone));
    for (const reason of books.flatMap(({ rows }) => rows.flatMap(([, , reasons]) => reasons))) seen.add(reason);
  }
  expect([...seen].sort()).toEqual(
    expect.arrayContaining([
      ...['asset_cap', 'below_minimum', 'existing', 'insufficient_funds', 'limit_24h', 'limit_30d', 'limit_exceeded'],
      ...['look_alike', 'new', 'new_address', 'refused_too_often', 'second_approval', 'velocity'],
    ]),
  );
});
