import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPerson, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { appRouter } from '#server/api/root.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import { openSeededWeb } from './seeded-web.test-support.ts';
import { parkInDoubt, takeWithdrawal } from './test-support/parked-doubt.ts';

let database: TestDatabase;
let web: TestWeb;
let close: () => Promise<void>;
let alice: TestPerson;
let olga: TestPerson;
let oscar: TestPerson;
let auditor: TestPerson;

beforeAll(async () => {
  ({ database, web, close } = await openSeededWeb());
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
  auditor = web.as(await openPerson(database.db, { role: 'auditor' }));
});
beforeEach(async () => {
  alice = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
});
afterAll(() => close());

const take = () => takeWithdrawal(alice);
const takeParkedDoubt = (proof: 'absence proved' | 'absence not proved') =>
  parkInDoubt({ database, customer: alice }, proof);
const countDeeds = async (action: string, subject: string) =>
  (await database.run('select 1 from audit_log where action = $1 and subject = $2', [action, subject])).length;

test('a finding of the reconciliation becomes one case, which stops the payouts of its customer and is in the audit', async () => {
  const id = await take();
  const [run] = await database.run<{ id: string }>(
    `insert into reconciliation_runs (cause, asked_by) values ('interval', 'x') returning id`,
  );
  const [finding] = await database.run<{ id: string }>(
    `insert into reconciliation_discrepancies (books, kind, subject, withdrawal_id, detail, first_run_id, last_run_id)
     values ('ours_custody', 'differs', 'a reference', $1, '{"amount": "7"}', $2, $2) returning id`,
    [id, run?.id],
  );
  const discrepancyId = finding?.id ?? '';
  const open = (who: TestPerson) =>
    who.mutate<{ kind: string }>('operator.reconciliation.openCase', { discrepancyId, reason: 'nobody knows why' });
  expect((await open(auditor)).refusal?.code).toBe('forbidden');
  const kinds = (await Promise.all([open(olga), open(olga)])).map(({ data }) => data.kind);
  expect(kinds.sort()).toEqual(['already_open', 'opened']);
  const { items } = (
    await olga.query<{ items: { discrepancyId: string; caseId: string | null }[] }>(
      'operator.reconciliation.discrepancies',
      {},
    )
  ).data;
  const caseId = items.find((one) => one.discrepancyId === discrepancyId)?.caseId;
  const [row] = await database.run(
    `select c.kind, c.withdrawal_id, c.evidence ->> 'amount' as amount, u.payouts_stopped_reason as stopped from cases c join customers u on u.id = c.customer_id where c.id = $1`,
    [caseId],
  );
  expect(row).toEqual({
    kind: 'found_by_reconciliation',
    withdrawal_id: id,
    amount: '7',
    stopped: 'found_by_reconciliation',
  });
  expect(await countDeeds('discrepancy.open_case', discrepancyId)).toBe(1);
});

test('worst first begins with what is parked, and each page goes on where the one before ended', async () => {
  const parked = [await takeParkedDoubt('absence not proved'), await takeParkedDoubt('absence not proved')];
  const waiting = [await take(), await take()];
  type Page = { items: { withdrawalId: string; parkedReason: string | null }[]; nextCursor: string | null };
  const seen: Page['items'] = [];
  for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages += 1) {
    const input = { sort: 'worst_first', limit: 2, cursor };
    const page: Page = (await olga.query<Page>('operator.withdrawals', input)).data;
    seen.push(...page.items);
    cursor = page.nextCursor;
  }
  const ids = seen.map(({ withdrawalId }) => withdrawalId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([...parked, ...waiting]));
  const firstUnparked = seen.findIndex(({ parkedReason }) => parkedReason === null);
  expect(seen.slice(firstUnparked).filter(({ parkedReason }) => parkedReason !== null)).toEqual([]);
  expect(ids.indexOf(parked[1] ?? '')).toBeLessThan(firstUnparked);
});

test('anybody on duty freezes at once; only an approver lets go', async () => {
  const freeze = (who: TestPerson, frozen: boolean) =>
    who.mutate<{ kind: string }>('operator.customers.freeze', {
      customerId: alice.userId,
      frozen,
      reason: 'odd pattern',
    });
  expect((await freeze(auditor, true)).refusal?.code).toBe('forbidden');
  expect((await freeze(olga, true)).data.kind).toBe('frozen');
  expect((await freeze(olga, true)).data.kind).toBe('unchanged');
  expect((await freeze(olga, false)).refusal?.code).toBe('forbidden');
  const body = { asset: 'USDC', network: 'ethereum', address: `0x${'ab'.repeat(20)}`, amount: '10' };
  expect((await alice.request(body, randomUUID())).refusal?.code).toBe('customer_frozen');
  expect((await freeze(oscar, false)).refusal?.code).toBe('step_up_required');
  const lift = { customerId: alice.userId, frozen: false, reason: 'explained' };
  const about = { deed: 'lift_freeze', subject: alice.userId } as const;
  expect((await oscar.confirm('operator.customers.freeze', lift, about)).data).toEqual({ kind: 'lifted' });
});

test('OP06: every procedure of the operators refuses customers and the signed-out by itself, whatever header comes along', async () => {
  const procedures = Object.entries(appRouter._def.procedures).filter(([name]) => name.startsWith('operator.'));
  expect(procedures.length).toBeGreaterThan(30);
  const skip = { 'x-middleware-subrequest': 'middleware:middleware:middleware' };
  for (const [name, procedure] of procedures) {
    const type = (procedure as unknown as { _def: { type: string } })._def.type;
    const byCustomer = type === 'query' ? await alice.query(name) : await alice.mutate(name, {}, skip);
    // Not even the shape of its input is told.
    expect.soft([name, byCustomer.status, byCustomer.refusal?.code]).toEqual([name, 404, 'not_found']);
    const byNobody = await fetch(`${web.url}/api/trpc/${name}`, {
      method: type === 'query' ? 'GET' : 'POST',
      headers: { origin: 'http://localhost:3000', 'content-type': 'application/json', ...skip },
      ...(type === 'query' ? {} : { body: '{}' }),
    });
    expect.soft([name, byNobody.status]).toEqual([name, 401]);
  }
});

test.each(['withdrawals', 'reconciliation.discrepancies', 'cases.list', 'customers.list', 'audit.list'])(
  'the list operator.%s takes what the paging of a browser sends with it',
  async (list) => {
    const input = { limit: 50, cursor: null, direction: 'forward' };
    expect((await olga.query(`operator.${list}`, input)).status).toBe(200);
  },
);

test('OP07: what strangers wrote is exported as text and kept as it was', async () => {
  await database.run(`update users set name = '=1+1' where id = $1`, [olga.userId]);
  await olga.mutate('operator.switches.pause', { scope: 'asset', target: '=HYPERLINK("http://x")', reason: '=cmd|x' });
  const answer = await fetch(`${web.url}/api/operator/audit.csv`, { headers: { cookie: auditor.cookie } });
  const csv = await answer.text();
  expect(csv).toContain("'=1+1");
  expect(csv).not.toMatch(/(^|,|\n)"?=/);
  // The file of the list, by the same filters; a customer learns of neither.
  const file = (search: string, cookie: string) =>
    fetch(`${web.url}/api/operator/withdrawals.csv?${search}`, { headers: { cookie } });
  const everything = await (await file('sort=newest', auditor.cookie)).text();
  const [counted] = await database.run<{ count: number }>(
    `select count(*)::integer as count from withdrawals where refusal_code is distinct from 'given_up'`,
  );
  expect(everything.trimEnd().split('\r\n').length - 1).toBe(counted?.count);
  expect(await (await file('stuck=1', auditor.cookie)).text()).toMatch(/^[^\r]*\r\n$/);
  const sinceLongAgo = new URLSearchParams({ failedSince: '2020-01-01T00:00:00Z' }).toString();
  const [failed] = await database.run<{ count: number }>(
    `select count(*)::integer as count from withdrawals where status = 'failed'`,
  );
  const failures = await (await file(sinceLongAgo, auditor.cookie)).text();
  expect(failures.trimEnd().split('\r\n').length - 1).toBe(failed?.count);
  expect((await file('status=paid', auditor.cookie)).status).toBe(400);
  expect((await file('', alice.cookie)).status).toBe(404);
  // Who took which file, by which filters; what was refused was not taken.
  const taken = await database.run(
    `select actor_id as who, action, after -> 'search' as search, after ->> 'stuck' as stuck, after ->> 'failedSince' as since
     from audit_log where action like 'export.%' order by seq`,
  );
  const withdrawals = { who: auditor.userId, action: 'export.withdrawals', search: null, stuck: 'false', since: null };
  expect(taken).toEqual([
    { who: auditor.userId, action: 'export.audit', search: null, stuck: null, since: null },
    withdrawals,
    { ...withdrawals, stuck: 'true' },
    { ...withdrawals, since: '2020-01-01T00:00:00.000Z' },
  ]);
  const [row] = await database.run<{ target: string }>(`select target from switches where target like '=%'`);
  expect(row?.target).toBe('=HYPERLINK("http://x")');
});

test('the chain of deeds holds, also from a row whose hash somebody kept, and says where somebody broke it', async () => {
  type Read = { rows: number; throughSeq: string; throughHash: string; firstBreak: string | null; more: boolean };
  const verify = async (place = {}) => (await auditor.query<Read>('operator.audit.verify', place)).data;
  const whole = await verify();
  expect(whole).toMatchObject({ firstBreak: null, more: false });
  const [kept] = await database.run<{ seq: string; hash: string }>(
    'select seq::text, hash from audit_log where seq = 3',
  );
  const from = { afterSeq: kept?.seq ?? '', afterHash: kept?.hash ?? '' };
  expect(await verify(from)).toEqual({ ...whole, rows: whole.rows - 3 });
  // Nothing follows the end but the end.
  const end = { afterSeq: whole.throughSeq, afterHash: whole.throughHash };
  expect(await verify(end)).toEqual({ ...whole, rows: 0 });
  await database.run('alter table audit_log disable trigger audit_log_append_only');
  await database.run(`update audit_log set subject = 'somebody else' where seq = 3`);
  expect((await verify()).firstBreak).toBe('3');
  // A forger who writes all hashes anew has a chain that holds, and not the hash that was kept.
  await database.run(`do $$ declare r audit_log; v text; begin
    select hash into v from audit_log where seq = 2;
    for r in select * from audit_log where seq >= 3 order by seq loop
      r.previous_hash := v; v := audit_log_hash(r);
      update audit_log set previous_hash = r.previous_hash, hash = v where seq = r.seq;
    end loop; end $$`);
  expect(await verify()).toMatchObject({ rows: whole.rows, firstBreak: null });
  expect((await verify(from)).firstBreak).toBe('3');
  expect((await verify({ ...end, afterSeq: '999999' })).firstBreak).toBe('999999');
});

test('the overview counts what is open, and says that nobody has counted the promises yet', async () => {
  const { data } = await auditor.query<{
    statuses: { status: string; count: number }[];
    invariants: { stale: boolean }[];
  }>('operator.overview.show');
  const doubts = data.statuses.find(({ status }) => status === 'in_doubt');
  expect(doubts?.count).toBeGreaterThan(0);
  expect(data.invariants.every(({ stale }) => stale)).toBe(true);
  const flow = await auditor.query<{ points: unknown[] }>('operator.overview.flow', { span: 'day' });
  expect(flow.data.points.length).toBeGreaterThan(40);
});

test('a lab outside the demo does not exist', async () => {
  expect((await olga.query('operator.lab.report')).status).toBe(404);
  expect((await olga.mutate('operator.lab.flushRedis', {})).status).toBe(404);
});
