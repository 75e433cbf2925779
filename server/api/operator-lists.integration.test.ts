import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPerson, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import { openSeededWeb } from './seeded-web.test-support.ts';
import { takeWithdrawal } from './test-support/parked-doubt.ts';

let database: TestDatabase;
let web: TestWeb;
let close: () => Promise<void>;
let alice: TestPerson;
let olga: TestPerson;
let oscar: TestPerson;

beforeAll(async () => {
  ({ database, web, close } = await openSeededWeb());
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
});
beforeEach(async () => {
  alice = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
});
afterAll(() => close());

const take = () => takeWithdrawal(alice);

async function takeDoubt(isParked: boolean): Promise<string> {
  const id = await take();
  const parked = isParked ? `, parked_at = protocol_now(), parked_reason = 'attempts_exhausted'` : '';
  for (const step of [
    `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256, outcome)
     values ($1, 1, 'send', 1, 'custody', 'main', 'bytes', 'hash', 'in_doubt')`,
    `update withdrawals set status = 'dispatching', fence = 1, provider = 'custody', provider_account = 'main' where id = $1`,
    `update withdrawals set status = 'in_doubt', fence = 2${parked} where id = $1`,
  ]) {
    await database.run(step, [id]);
  }
  return id;
}

type Row = { id?: string; withdrawalId?: string; caseId?: string; adjustmentId?: string; email?: string };
type Page = { items: Row[]; nextCursor: string | null };
const idsOf = ({ items }: Page) =>
  items.map((item) => item.id ?? item.caseId ?? item.withdrawalId ?? item.adjustmentId ?? item.email ?? '');

/** Every page of a list, two rows each, one after the other. */
async function walk(list: string, more: object = {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null = null; pages.length === 0 || cursor !== null; ) {
    const page: Page = (await olga.query<Page>(list, { limit: 2, cursor, direction: 'forward', ...more })).data;
    pages.push(idsOf(page));
    cursor = page.nextCursor;
  }
  return pages;
}

test('doubts are shown to the last, parked ones first, and before all of them the one that a link names', async () => {
  const doubted = [await takeDoubt(false), await takeDoubt(false)];
  const parked = [await takeDoubt(true), await takeDoubt(true), await takeDoubt(true)];
  const all = [...parked, ...doubted];
  expect(await walk('operator.doubts.list')).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
  const [, last = ''] = doubted;
  expect(await walk('operator.doubts.list', { named: last })).toEqual([
    [last, ...all.slice(0, 2)],
    all.slice(2, 4),
    [],
  ]);
  // What waits for nobody is no doubt, whoever names it.
  expect((await walk('operator.doubts.list', { named: await take() })).flat()).toEqual(all);
});

test('approvals are shown to the last, the oldest first', async () => {
  await database.run('update customers set review_all = true where id = $1', [alice.userId]);
  const all = [await take(), await take(), await take()];
  expect(await walk('operator.approvals.list')).toEqual([all.slice(0, 2), all.slice(2)]);
});

test('cases are shown to the last, the newest first, and before all of them the one that a link names, closed or not', async () => {
  const open = async () => {
    const [found] = await database.run<{ id: string }>(
      `insert into cases (kind, fingerprint) values ('paid_twice', gen_random_uuid()::text) returning id`,
    );
    return found?.id ?? '';
  };
  const closed = await open();
  await olga.mutate('operator.cases.proposeClose', {
    caseId: closed,
    revision: '0',
    reason: 'explained',
    deedId: randomUUID(),
  });
  await oscar.confirm('operator.cases.confirmClose', { caseId: closed }, { deed: 'close_case', subject: closed });
  const [third = '', second = '', first = ''] = [await open(), await open(), await open()];
  expect(await walk('operator.cases.list')).toEqual([[first, second], [third]]);
  expect(await walk('operator.cases.list', { named: closed })).toEqual([[closed, first, second], [third]]);
  expect(await walk('operator.cases.list', { named: second })).toEqual([[second, first], [third]]);
  expect(await walk('operator.cases.list', { open: false, named: closed })).toEqual([[closed, first, second], [third]]);
});

test('adjustments are shown to the last, those that wait for a second person first', async () => {
  const propose = async (minutesAgo: number) => {
    const [row] = await database.run<{ id: string }>(
      `insert into ledger_adjustments (id, asset_id, debit_account_id, credit_account_id, amount_minor, reason, proposed_by, proposed_at)
       select gen_random_uuid(), 'USDC', ledger_house_account('USDC', 'suspense'), ledger_house_account('USDC', 'withdrawal_fees'), 1, 'rounding', $1,
         protocol_now() - $2 * interval '1 minute' returning id`,
      [olga.userId, minutesAgo],
    );
    return row?.id ?? '';
  };
  const [booked, waiting, older] = [await propose(1), await propose(2), await propose(3)];
  const confirmed = await oscar.confirm(
    'operator.adjustments.confirm',
    { adjustmentId: booked },
    { deed: 'adjust', subject: booked },
  );
  expect(confirmed.data).toEqual({ kind: 'booked' });
  expect(await walk('operator.adjustments.list')).toEqual([[waiting, older], [booked]]);
});

test('everybody of a domain is found by it, page by page, and so are their withdrawals', async () => {
  const names = ['anna', 'bert', 'carl'].map((name) => `${name}@bank.example`);
  await database.run(
    `with u as (insert into users (id, name, email) select gen_random_uuid(), 'Customer', unnest($1::text[]) returning id)
     insert into customers (id) select id from u`,
    [[...names, 'bank.example@elsewhere.example']],
  );
  await database.run('update users set email = $2 where id = $1 returning id', [alice.userId, 'dora@bank.example']);
  const taken = await take();
  const [first = '', second = '', third = ''] = names;
  const all = [[first, 'bank.example@elsewhere.example'], [second, third], ['dora@bank.example']];
  expect(await walk('operator.customers.list', { search: 'Bank.Example' })).toEqual(all);
  expect(await walk('operator.customers.list', { search: '@bank.example' })).toEqual([
    [first, second],
    [third, 'dora@bank.example'],
  ]);
  expect(await walk('operator.withdrawals', { search: '@bank.example' })).toEqual([[taken]]);
});

test('dead letters are shown to the last, the oldest first, and say how many they are', async () => {
  const parked = [await takeDoubt(true), await takeDoubt(true)];
  await database.run(
    `insert into inbox_events (provider, event_id, event_type, body, body_sha256, signed_at, attempts, received_at)
     select 'custody', 'event ' || n, 'transfer.confirmed', 'body', 'hash', protocol_now(), 3, protocol_now() - interval '1 day'
     from generate_series(1, 3) n`,
  );
  const pages = await walk('operator.queues.deadLetters');
  const all = pages.flat();
  expect(pages.slice(0, -1).every((page) => page.length === 2)).toBe(true);
  expect(all.slice(0, 3)).toEqual(['event 1', 'event 2', 'event 3']);
  expect(all.slice(-2)).toEqual(parked);
  expect(new Set(all).size).toBe(all.length);
  const { data } = await olga.query<{ total: number }>('operator.queues.deadLetters', { limit: 1 });
  expect(data.total).toBe(all.length);
  const broken = await olga.query('operator.queues.deadLetters', { cursor: 'last page' });
  expect(broken.status).toBe(400);
});
