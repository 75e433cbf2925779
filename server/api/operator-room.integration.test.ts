import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { appRouter } from '#server/api/root.ts';
import type { Database, Db } from '#server/db/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import type { Doubt } from '#server/operator/find-doubts.ts';
import { lookUpNow } from '#server/operator/look-up-now.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
let web: TestWeb;
let alice: TestPerson;
let olga: TestPerson;
let oscar: TestPerson;
let auditor: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: `0x${'c0'.repeat(20)}`, USDT: null } });
  web = await openTestWeb(database.db);
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
  auditor = web.as(await openPerson(database.db, { role: 'auditor' }));
});
beforeEach(async () => {
  alice = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
});
afterAll(async () => {
  await web.close();
  await database.close();
});

async function take(): Promise<string> {
  const address = `0x${randomUUID().replaceAll('-', '')}aabbccdd`;
  const body = { asset: 'USDC', network: 'ethereum', address, amount: '10' };
  return (await alice.request(body, randomUUID())).data.withdrawal.withdrawalId;
}

/** Sent once an hour ago without an answer, parked, and looked up; `proof` is what the look-up wrote down. */
async function takeParkedDoubt(proof: string): Promise<string> {
  const id = await take();
  await database.run(
    `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256, not_after, outcome)
     values ($1, 1, 'send', 1, 'custody', 'main', 'bytes', 'hash', protocol_now() - interval '1 hour', 'in_doubt')`,
    [id],
  );
  await database.run(
    `update withdrawals set status = 'dispatching', fence = 1, provider = 'custody', provider_account = 'main' where id = $1`,
    [id],
  );
  await database.run(
    `update withdrawals set status = 'in_doubt', fence = 2, parked_at = protocol_now(), parked_reason = 'attempts_exhausted',
       next_action_at = protocol_now() + interval '5 minutes' where id = $1`,
    [id],
  );
  await lookUp(id, 2, proof);
  return id;
}

const lookUp = (id: string, fence: number, proof: string) =>
  database.run(
    `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, outcome, outcome_at, detail)
     values ($1, $2::integer, 'look_up', $2::integer, 'custody', 'main', 'not_found', protocol_now(), jsonb_build_object('absenceProved', $3::text = 'absence proved'))`,
    [id, fence, proof],
  );

async function seeDoubt(withdrawalId: string): Promise<Doubt> {
  const { data } = await olga.query<{ items: Doubt[] }>('operator.doubts.list');
  const found = data.items.find((item) => item.withdrawalId === withdrawalId);
  if (found === undefined) throw new Error('not on the board');
  return found;
}

const proposalOf = (doubt: Doubt, deed: 'release' | 'hand_back', resolutionId = randomUUID()) => {
  const { withdrawalId, fence, revision } = doubt;
  return { resolutionId, withdrawalId, deed, fence, revision, reason: 'looked at the evidence' };
};
const confirm = (resolutionId: string) =>
  oscar.confirm<{ kind: string }>(
    'operator.doubts.confirm',
    { resolutionId },
    { deed: 'resolve', subject: resolutionId },
  );
const statusOf = async (id: string) =>
  (await database.run<{ status: string }>('select status from withdrawals where id = $1', [id]))[0]?.status;
const bookingsOf = async (id: string) =>
  (
    await database.run<{ kind: string }>('select kind from ledger_transfers where source_id = $1 order by id', [id])
  ).map(({ kind }) => kind);
const countDeeds = async (action: string, subject: string) =>
  (await database.run('select 1 from audit_log where action = $1 and subject = $2', [action, subject])).length;

test('OP03: nobody releases what is not proved absent, whoever agrees and however old it is', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const doubt = await seeDoubt(id);
  expect(doubt.absenceProved).toBe(false);
  const answer = await olga.mutate('operator.doubts.propose', proposalOf(doubt, 'release'));
  expect(answer.refusal).toMatchObject({
    code: 'changed_meanwhile',
    detail: expect.stringContaining('Nothing proves'),
  });
  expect(await statusOf(id)).toBe('in_doubt');
  expect(await bookingsOf(id)).toEqual(['hold']);
});

test('a release needs proof and a second person, and gives the hold back once', async () => {
  const id = await takeParkedDoubt('absence proved');
  const proposal = proposalOf(await seeDoubt(id), 'release');
  expect((await olga.mutate<{ kind: string }>('operator.doubts.propose', proposal)).data.kind).toBe('proposed');
  const again = await olga.mutate<{ kind: string }>('operator.doubts.propose', proposal);
  expect(again.data.kind).toBe('already_proposed');
  const { resolutionId } = proposal;
  expect((await olga.mutate('operator.doubts.confirm', { resolutionId })).refusal?.code).toBe('second_person_needed');
  expect((await auditor.mutate('operator.doubts.confirm', { resolutionId })).refusal?.code).toBe('forbidden');
  expect(await statusOf(id)).toBe('in_doubt');
  // OP02: pressed twice at the same moment.
  const presses = await Promise.all([confirm(resolutionId), confirm(resolutionId)]);
  expect(presses.map((press) => press.refusal?.code ?? press.data.kind).sort()).toEqual(['already_done', 'released']);
  expect(await statusOf(id)).toBe('failed');
  expect(await bookingsOf(id)).toEqual(['hold', 'void']);
  expect(await countDeeds('withdrawal.confirm_resolution', id)).toBe(1);
});

test('a proposal about older evidence is confirmed by nobody', async () => {
  const id = await takeParkedDoubt('absence proved');
  const proposal = proposalOf(await seeDoubt(id), 'release');
  await olga.mutate('operator.doubts.propose', proposal);
  await database.run('update withdrawals set fence = fence + 1 where id = $1', [id]);
  const answer = await confirm(proposal.resolutionId);
  expect(answer.refusal?.code).toBe('changed_meanwhile');
  expect(await statusOf(id)).toBe('in_doubt');
  expect((await seeDoubt(id)).proposal).toBeNull();
});

test('EC73: handed back by two people, the machine goes on and nothing was decided for it', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const proposal = proposalOf(await seeDoubt(id), 'hand_back');
  await olga.mutate('operator.doubts.propose', proposal);
  const { resolutionId } = proposal;
  expect((await confirm(resolutionId)).data.kind).toBe('handed_back');
  const [row] = await database.run<{ due: boolean; parked: boolean }>(
    'select next_action_at <= protocol_now() as due, parked_at is not null as parked from withdrawals where id = $1',
    [id],
  );
  expect(row).toEqual({ due: true, parked: false });
  expect(await statusOf(id)).toBe('in_doubt');
});

test('OP03: a retry wakes the row once, sends nothing and erases nothing', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const attempts = () =>
    database.run('select * from withdrawal_attempts where withdrawal_id = $1 order by attempt', [id]);
  const before = await attempts();
  const retry = () => olga.mutate<{ kind: string }>('operator.queues.retry', { kind: 'withdrawal', id });
  expect((await retry()).data.kind).toBe('woken');
  expect((await retry()).data.kind).toBe('awake');
  expect(await attempts()).toEqual(before);
  expect(await seeDoubt(id)).toMatchObject({ status: 'in_doubt', parkedReason: 'attempts_exhausted' });
  expect(await countDeeds('withdrawal.retry', id)).toBe(1);
});

test('OP02: looked up by eight presses at once, it is looked up once', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const press = () => olga.mutate<{ kind: string }>('operator.doubts.lookUpNow', { withdrawalId: id });
  const kinds = (await Promise.all(Array.from({ length: 8 }, press))).map(({ data }) => data.kind);
  expect(kinds.sort()).toEqual(['asked', ...Array.from({ length: 7 }, () => 'under_way')]);
  expect(await countDeeds('withdrawal.look_up', id)).toBe(1);
});

test('OP02: a press that began before the one that won finds the look-up under way', async () => {
  const id = await takeParkedDoubt('absence not proved');
  const press = (db: Database) => lookUpNow({ db }, { withdrawalId: id, actorId: olga.userId });
  let winner = '';
  const slow: Database = Object.create(database.db, {
    transaction: {
      value: (work: (tx: Db) => Promise<unknown>) =>
        database.db.transaction(async (tx) => {
          winner = (await press(database.db)).kind;
          return await work(tx);
        }),
    },
  });
  expect(await press(slow)).toEqual({ kind: 'under_way' });
  expect(winner).toBe('asked');
});

test('a queued withdrawal that is parked is claimed by nobody, and says so on the board', async () => {
  const id = await take();
  const park = () => olga.mutate<{ kind: string }>('operator.doubts.park', { withdrawalId: id, reason: 'smells odd' });
  expect((await park()).data.kind).toBe('parked');
  expect((await park()).data.kind).toBe('already_parked');
  const [row] = await database.run('select payout_stop_reason(w) as stop from withdrawals w where id = $1', [id]);
  expect(row).toEqual({ stop: 'parked' });
  const doubt = await seeDoubt(id);
  expect(doubt.parkedReason).toBe('operator');
  // Nothing was sent, so there is nothing to release; two people give it back to the machine.
  expect((await olga.mutate('operator.doubts.propose', proposalOf(doubt, 'release'))).status).toBe(409);
  const back = proposalOf(doubt, 'hand_back');
  await olga.mutate('operator.doubts.propose', back);
  expect((await confirm(back.resolutionId)).data.kind).toBe('handed_back');
  const [free] = await database.run('select payout_stop_reason(w) as stop, w.status from withdrawals w where id = $1', [
    id,
  ]);
  expect(free).toEqual({ stop: null, status: 'queued' });
});

test('an operator cancels for a customer what was not sent, once, and never what may have been', async () => {
  const id = await take();
  const cancel = (who: TestPerson, withdrawalId = id) =>
    who.mutate<{ kind: string }>('operator.doubts.cancel', { withdrawalId, reason: 'asked for by letter' });
  expect((await cancel(auditor)).refusal?.code).toBe('forbidden');
  const kinds = (await Promise.all([cancel(olga), cancel(olga)])).map(({ data }) => data.kind);
  expect(kinds.sort()).toEqual(['already_cancelled', 'cancelled']);
  expect(await statusOf(id)).toBe('cancelled');
  expect(await bookingsOf(id)).toEqual(['hold', 'void']);
  expect(await countDeeds('withdrawal.cancel', id)).toBe(1);
  const [entry] = await database.run(
    `select actor, reason, evidence from withdrawal_history where withdrawal_id = $1 and to_status = 'cancelled'`,
    [id],
  );
  expect(entry).toEqual({
    actor: olga.userId,
    reason: 'cancelled_by_operator',
    evidence: { note: 'asked for by letter' },
  });
  const doubt = await takeParkedDoubt('absence proved');
  expect((await cancel(olga, doubt)).data.kind).toBe('too_late');
  expect(await statusOf(doubt)).toBe('in_doubt');
});

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
