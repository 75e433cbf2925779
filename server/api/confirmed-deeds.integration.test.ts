import { randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPerson, TEST_SECRET, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import type { AskedDeed } from '#server/api/deed-subject.ts';
import type { DeedStepUp } from '#server/auth/find-deed-step-up.ts';
import { sealSecret } from '#server/auth/secret-box.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import type { ShownCase } from '#server/operator/find-cases.ts';
import type { ShownSwitch } from '#server/switches/find-switches.ts';
import { openSeededWeb } from './seeded-web.test-support.ts';

const SECRET = 'DEMOOLGADEMOOLGADEMOOLGADEMO2345';
let database: TestDatabase;
let web: TestWeb;
let closeWorld: () => Promise<void>;
let olga: TestPerson;
let oscar: TestPerson;

beforeAll(async () => {
  ({ database, web, close: closeWorld } = await openSeededWeb());
});
beforeEach(async () => {
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
});
afterAll(() => closeWorld());

async function aProposedResume(target: string): Promise<string> {
  await olga.mutate('operator.switches.pause', { scope: 'asset', target, reason: 'a drill' });
  const { items } = (await olga.query<{ items: ShownSwitch[] }>('operator.switches.list')).data;
  const switchId = items.find((one) => one.target === target && one.resumedAt === null)?.switchId ?? '';
  await olga.mutate('operator.switches.proposeResume', { switchId, deedId: randomUUID() });
  return switchId;
}
const isOpen = async (switchId: string) =>
  (await database.run('select 1 from switches where id = $1 and resumed_at is null', [switchId])).length === 1;
const giveAuthenticator = (person: TestPerson) =>
  database.run(`insert into totp_factors (user_id, secret_sealed, confirmed_at) values ($1, $2, protocol_now())`, [
    person.userId,
    sealSecret(SECRET, TEST_SECRET),
  ]);
const codeNow = () => generateSync({ secret: SECRET, epoch: Math.floor(Date.now() / 1_000) });
const confirmBy = (code: string, switchId: string) =>
  oscar.mutate('operator.switches.confirmResume', { switchId, stepUp: { kind: 'totp', code } });

async function aCase(): Promise<{ caseId: string; customer: TestPerson }> {
  const customer = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000n } }));
  const [row] = await database.run<{ id: string }>(
    `insert into cases (kind, fingerprint, customer_id, evidence) values ('paid_twice', $1, $2, '{"hash": "0xabc", "count": 2}') returning id`,
    [randomUUID(), customer.userId],
  );
  await database.run(
    `update customers set payouts_stopped_at = protocol_now(), payouts_stopped_reason = 'paid_twice' where id = $1`,
    [customer.userId],
  );
  return { caseId: row?.id ?? '', customer };
}
const propose = (caseId: string, revision = '0', deedId = randomUUID()) =>
  olga.mutate('operator.cases.proposeClose', { caseId, revision, reason: 'custody paid us back', deedId });
const close = (who: TestPerson, caseId: string) =>
  who.confirm<{ kind: string; payoutsResumed: boolean }>(
    'operator.cases.confirmClose',
    { caseId },
    { deed: 'close_case', subject: caseId },
  );

test('a session alone resumes nothing: without a code or a signature the deed is refused', async () => {
  const switchId = await aProposedResume('ETH');
  expect((await oscar.mutate('operator.switches.confirmResume', { switchId })).refusal?.code).toBe('step_up_required');
  expect(await isOpen(switchId)).toBe(true);
});

test('one code confirms one deed, and no second one', async () => {
  await giveAuthenticator(oscar);
  const [first, second] = [await aProposedResume('BTC'), await aProposedResume('SOL')];
  const code = codeNow();
  expect((await confirmBy(code, first)).data).toEqual({ kind: 'resumed' });
  expect((await confirmBy(code, second)).refusal?.code).toBe('step_up_wrong');
  expect(await isOpen(second)).toBe(true);
  const used = await database.run('select deed, subject from deed_confirmations where user_id = $1', [oscar.userId]);
  expect(used).toEqual([{ deed: 'resume', subject: first }]);
});

test('a code of another person confirms nothing', async () => {
  await giveAuthenticator(olga);
  const switchId = await aProposedResume('USDT');
  expect((await confirmBy(codeNow(), switchId)).refusal?.code).toBe('step_up_wrong');
  expect(await isOpen(switchId)).toBe(true);
});

test('a signature under one deed does not fit another, nor the same one after it was proposed anew', async () => {
  const [first, second] = [await aProposedResume('BTC'), await aProposedResume('SOL')];
  const about = (subject: string): AskedDeed => ({ deed: 'resume', subject });
  const crossed = await oscar.confirm('operator.switches.confirmResume', { switchId: second }, about(first));
  expect(crossed.refusal?.code).toBe('step_up_wrong');
  const late = await oscar.confirm('operator.switches.confirmResume', { switchId: second }, about(second), () =>
    olga.mutate('operator.switches.proposeResume', { switchId: second, deedId: randomUUID() }),
  );
  expect(late.refusal?.code).toBe('step_up_wrong');
  expect(await isOpen(second)).toBe(true);
});

test('OP02: a proposal that is pressed again on the same form is proposed and written down once', async () => {
  const { caseId } = await aCase();
  await olga.mutate('operator.switches.pause', { scope: 'asset', target: 'XRP', reason: 'a drill' });
  const [pause] = await database.run<{ id: string }>(
    `select id from switches where target = 'XRP' and resumed_at is null`,
  );
  const [inCase, ofPause] = [randomUUID(), randomUUID()];
  const resume = (deedId: string, who = olga) =>
    who.mutate('operator.switches.proposeResume', { switchId: pause?.id, deedId });
  const presses = await Promise.all([1, 2, 3].flatMap(() => [propose(caseId, '0', inCase), resume(ofPause)]));
  expect(presses.map(({ data }) => data)).toEqual(Array(6).fill({ kind: 'proposed' }));
  expect((await propose(caseId, '0', ofPause)).refusal?.code).toBe('changed_meanwhile');
  expect((await resume(ofPause, oscar)).refusal?.code).toBe('changed_meanwhile');
  const written = await database.run(
    `select action, count(*)::integer as rows from audit_log where subject in ($1, $2) and action like '%propose%' group by 1 order by 1`,
    [caseId, pause?.id],
  );
  expect(written).toEqual([
    { action: 'case.propose_close', rows: 1 },
    { action: 'switch.propose_resume', rows: 1 },
  ]);
});

test('what somebody can confirm with is told, and the demo shows its code only in the demo', async () => {
  const need = async (who: TestPerson) => (await who.query<DeedStepUp>('operator.stepUp.need')).data;
  expect(await need(oscar)).toEqual({ methods: [], lockedUntil: null, demo: null });
  await giveAuthenticator(oscar);
  expect(await need(oscar)).toEqual({ methods: ['totp'], lockedUntil: null, demo: null });
});

test('a case is closed by two people on the evidence that both saw, and payouts go on with the last one', async () => {
  const { caseId, customer } = await aCase();
  const another = await database.run<{ id: string }>(
    `insert into cases (kind, fingerprint, customer_id) values ('contradiction', $1, $2) returning id`,
    [randomUUID(), customer.userId],
  );
  const { items } = (await olga.query<{ items: ShownCase[] }>('operator.cases.list', {})).data;
  expect(items.find((one) => one.caseId === caseId)).toMatchObject({
    kind: 'paid_twice',
    customerEmail: customer.email,
    payoutsStopped: true,
    evidence: [
      { name: 'hash', value: '0xabc' },
      { name: 'count', value: '2' },
    ],
  });
  expect((await oscar.mutate('operator.cases.confirmClose', { caseId })).refusal?.code).toBe('changed_meanwhile');
  expect((await propose(caseId, '7')).refusal?.code).toBe('changed_meanwhile');
  expect((await propose(caseId)).status).toBe(200);
  expect((await olga.mutate('operator.cases.confirmClose', { caseId })).refusal?.code).toBe('second_person_needed');
  const auditor = web.as(await openPerson(database.db, { role: 'auditor' }));
  expect((await auditor.mutate('operator.cases.confirmClose', { caseId })).refusal?.code).toBe('forbidden');
  // OP02: pressed twice at once.
  const presses = await Promise.all([close(oscar, caseId), close(oscar, caseId)]);
  expect(presses.map((press) => press.refusal?.code ?? press.data.kind).sort()).toEqual(['already_done', 'closed']);
  const stopped = () =>
    database.run('select payouts_stopped_reason as r from customers where id = $1', [customer.userId]);
  expect(await stopped()).toEqual([{ r: 'paid_twice' }]);
  const last = another[0]?.id ?? '';
  await propose(last);
  expect((await close(oscar, last)).data).toEqual({ kind: 'closed', payoutsResumed: true });
  expect(await stopped()).toEqual([{ r: null }]);
});

test('new evidence asks for a new proposal', async () => {
  const { caseId } = await aCase();
  await propose(caseId);
  await database.run('update cases set revision = revision + 1 where id = $1', [caseId]);
  expect((await close(oscar, caseId)).refusal?.code).toBe('changed_meanwhile');
  const { items } = (await olga.query<{ items: ShownCase[] }>('operator.cases.list', {})).data;
  expect(items.find((one) => one.caseId === caseId)?.proposal?.isOfThisEvidence).toBe(false);
});
