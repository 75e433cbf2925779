import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credit, openPerson } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { forgetOldUsage } from '#server/limits/forget-old-usage.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

const UNIT = 1_000_000n;
const WINDOWS = ['17 minutes', '1 hour', '24 hours', '3 days 5 hours 12 minutes', '30 days'] as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrate, max: 12 });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  await database.run('update protocol_settings set clock_movable = true');
});
afterAll(() => database.close());

async function aCustomer(): Promise<string> {
  const { userId } = await openPerson(database.db, {});
  for (const assetId of ['USDC', 'USDT']) await credit(database.db, { userId, assetId, minor: 1_000_000n * UNIT });
  return userId;
}

async function ask(customerId: string, asset: string, value: bigint): Promise<string> {
  const [row] = await database.run<{ id: string }>(
    `select (w).id from request_withdrawal(gen_random_uuid(), gen_random_uuid(), $1, $2, 'ethereum', $3, null, 1000000, 500000, 'on_top',
       null, false, null, null, 100000, true, $4)`,
    [customerId, asset, `0x${randomUUID()}`, value.toString()],
  );
  return row?.id ?? '';
}

const giveBack = (id: string) =>
  database.run(
    `with moved as (update withdrawals w set status = 'cancelled', ended_at = protocol_now() where id = $1 and status in ('queued', 'awaiting_approval') returning w)
     select ledger_void(m.w) from moved m`,
    [id],
  );

/** What the sums say of each window and asset, where its rows say something else. */
const differences = (customerId: string) =>
  database.run(
    `select w.span, a.id as asset_id, s.*, r.*
     from unnest($2::interval[]) as w(span) cross join assets a
     cross join lateral (
       select coalesce(sum(u.value_reference_minor), 0) as value, coalesce(sum(u.total_minor), 0) as total, coalesce(sum(u.requests), 0) as requests
       from withdrawals_counted_since($1, protocol_now() - w.span) u where u.asset_id = a.id) s
     cross join lateral (
       select coalesce(sum(x.value_reference_minor), 0) as row_value, coalesce(sum(x.total_minor), 0) as row_total, count(*) as rows
       from withdrawals x where x.customer_id = $1 and x.asset_id = a.id and x.requested_at > protocol_now() - w.span
         and x.status not in ('refused', 'cancelled', 'rejected', 'failed')) r
     where (s.value, s.total, s.requests) is distinct from (r.row_value, r.row_total, r.rows)`,
    [customerId, WINDOWS],
  );

test('LE09: the sums agree with the rows at every instant, whatever was asked, given back and when', async () => {
  const step = fc.record({
    minutes: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 600, max: 14_400 })),
    asset: fc.constantFrom('USDC', 'USDT'),
    value: fc.bigInt({ min: 0n, max: 1_000n }),
    // Which of those asked for so far is given back; a number beyond them is none.
    givenBack: fc.integer({ min: 0, max: 9 }),
  });
  const seed = 526_476;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
      const customer = await aCustomer();
      const asked: string[] = [];
      for (const { minutes, asset, value, givenBack } of steps) {
        await database.run(
          `update protocol_settings set clock_offset = clock_offset + $1::integer * interval '1 minute'`,
          [minutes],
        );
        asked.push(await ask(customer, asset, value));
        const id = asked[givenBack];
        if (id !== undefined) await giveBack(id);
        expect(await differences(customer)).toEqual([]);
      }
    }),
    { numRuns: 6, seed },
  );
});

test('LE03: requests and what gives back at once neither deadlock nor miscount', async () => {
  const customer = await aCustomer();
  const asked = await Promise.all(Array.from({ length: 30 }, () => ask(customer, 'USDC', 3n)));
  const [before] = await database.run('select deadlocks from pg_stat_database where datname = current_database()');
  await Promise.all([
    ...asked.map((id) => giveBack(id)),
    ...Array.from({ length: 30 }, (_, turn) => ask(customer, turn % 2 === 0 ? 'USDC' : 'USDT', 5n)),
  ]);
  const [after] = await database.run('select deadlocks from pg_stat_database where datname = current_database()');
  expect(after).toEqual(before);
  expect(await differences(customer)).toEqual([]);
});

test('what a limit reads stays as small after ten thousand requests of a month as after one', async () => {
  const customer = await aCustomer();
  await database.run(
    `set session_replication_role = replica;
     insert into withdrawals (id, idempotency_key, customer_id, asset_id, network_id, address, amount_minor, fee_minor, total_minor, fee_mode,
         status, confirmations_required, value_reference_minor, approvals_required, requested_at, next_action_at, status_since, updated_at)
       select gen_random_uuid(), gen_random_uuid(), '${customer}', 'USDC', 'ethereum', '0x' || g, 1, 1, 2, 'on_top', 'queued', 12, 1, 0, t, t, t, t
       from generate_series(1, 10000) g, lateral (select protocol_now() - g * interval '5 minutes' as t) x;
     insert into withdrawal_usage select customer_id, asset_id, s.hours, usage_span(requested_at, s.hours), sum(value_reference_minor), sum(total_minor), count(*)
       from withdrawals cross join (values (1), (24)) s(hours) where customer_id = '${customer}' group by 1, 2, 3, 4;
     set session_replication_role = origin`,
  );
  await database.run('analyze withdrawals, withdrawal_usage');
  expect(await differences(customer)).toEqual([]);
  const [plan] = await database.run<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
    `explain (analyze, format json) select sum(value_reference_minor) from withdrawals_counted_since('${customer}', protocol_now() - interval '30 days')`,
  );
  const read = rowsRead(plan?.['QUERY PLAN'][0]?.Plan);
  // Thirty days, twenty-three hours and the twelve rows of an hour, at most.
  expect(read).toBeGreaterThanOrEqual(30);
  expect(read).toBeLessThanOrEqual(30 + 23 + 12);
});

test('sums that no window reaches are forgotten, and the others are not', async () => {
  const customer = await aCustomer();
  await ask(customer, 'USDC', 1n);
  await forgetOldUsage(database);
  expect(await differences(customer)).toEqual([]);
  await database.run(`update protocol_settings set clock_offset = clock_offset + interval '34 days'`);
  expect((await forgetOldUsage(database)).forgotten).toBeGreaterThanOrEqual(2);
  expect(await forgetOldUsage(database)).toEqual({ forgotten: 0 });
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function rowsRead(node: PlanNode | undefined): number {
  if (node === undefined) return 0;
  const own = node['Relation Name'] === undefined ? 0 : node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), own);
}
