import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import type { WaitingApproval } from '#server/approvals/find-waiting-approvals.ts';
import { AUDIT_BEGINNING, verifyAudit } from '#server/audit/verify-audit.ts';
import { END_LOOK_UP_ONLY } from '#server/db/end-look-up-only.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
let web: TestWeb;
let oscar: TestPerson;
let nina: TestPerson;
let olga: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  await database.run(
    `update tiers set auto_limit_24h_reference_minor = 10 * 1e8, second_approval_reference_minor = 50 * 1e8,
       new_address_auto_reference_minor = 5 * 1e8 from (select set_config('session_replication_role', 'replica', true)) past where id = 'standard'`,
  );
  web = await openTestWeb(database.db);
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
  nina = web.as(await openPerson(database.db, { role: 'approver' }));
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
});
afterAll(async () => {
  await web.close();
  await database.close();
});

const UNIT = 1_000_000n;

/** A request over what goes by itself, 10 dollars: 20 USDC for one person's yes, 60 for two. */
async function askForMuch(amount = '20') {
  const alice = web.as(await openPerson(database.db, { balances: { USDC: 100n * UNIT }, tier: 'standard' }));
  const address = `0x${randomUUID().replaceAll('-', '')}aabbccdd`;
  const body = { asset: 'USDC', network: 'ethereum', address, memo: null, amount };
  const { withdrawal } = (await alice.request(body, randomUUID())).data;
  return { alice, withdrawal, id: withdrawal.withdrawalId };
}

async function seen(id: string): Promise<WaitingApproval> {
  const { items } = (await olga.query<{ items: WaitingApproval[] }>('operator.approvals.list')).data;
  const item = items.find((one) => one.withdrawalId === id);
  if (item === undefined) throw new Error('it does not wait');
  return item;
}

const decision = async (id: string) => {
  const { payloadSha256, revision } = await seen(id);
  return { withdrawalId: id, payloadSha256, revision };
};
/** Yes, by exactly what was seen and by a second factor. */
const approve = (who: TestPerson, body: { withdrawalId: string }) =>
  who.confirm<{ kind: string; missing?: number }>('operator.approvals.approve', body, {
    deed: 'approve',
    subject: body.withdrawalId,
  });
const statusOf = async (id: string) =>
  (await database.run('select status from withdrawals where id = $1', [id]))[0]?.status;

test('over a limit that a person may lift, a request waits with its reasons, its coins held, and one yes sends it on', async () => {
  const { withdrawal, id } = await askForMuch();
  expect(withdrawal.status).toBe('awaiting_approval');
  expect(await seen(id)).toMatchObject({
    reasons: ['limit_24h', 'new_address'],
    approvalsRequired: 1,
    value: '20.5',
    amount: '20',
  });
  expect((await approve(oscar, await decision(id))).data).toEqual({ kind: 'approved' });
  expect(await statusOf(id)).toBe('queued');
  const woken = await database.run('select 1 from outbox where withdrawal_id = $1', [id]);
  expect(woken).toHaveLength(1);
});

test('above the second limit two different people must agree', async () => {
  const { id } = await askForMuch('60');
  const body = await decision(id);
  expect((await approve(oscar, body)).data).toEqual({ kind: 'waiting', missing: 1 });
  expect((await oscar.mutate('operator.approvals.approve', body)).refusal?.code).toBe('second_person_needed');
  expect(await statusOf(id)).toBe('awaiting_approval');
  expect((await approve(nina, body)).data).toEqual({ kind: 'approved' });
  expect(await statusOf(id)).toBe('queued');
});

test('two people who agree at the same moment are two, in every round', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id } = await askForMuch('60');
    const body = await decision(id);
    const answers = await Promise.all([oscar, nina].map((one) => approve(one, body)));
    expect(answers.map((answer) => answer.data.kind).sort()).toEqual(['approved', 'waiting']);
    expect(await statusOf(id)).toBe('queued');
  }
});

test('a yes is to what was seen: another payload or an older revision is refused', async () => {
  const { id } = await askForMuch();
  const body = await decision(id);
  const other = { ...body, payloadSha256: 'a'.repeat(64) };
  expect((await oscar.mutate('operator.approvals.approve', other)).refusal?.code).toBe('changed_meanwhile');
  await database.run('update withdrawals set revision = revision + 1 where id = $1', [id]);
  expect((await oscar.mutate('operator.approvals.approve', body)).refusal?.code).toBe('changed_meanwhile');
  expect(await statusOf(id)).toBe('awaiting_approval');
});

test('an operator, an auditor and a customer approve nothing', async () => {
  const { id, alice } = await askForMuch();
  const body = await decision(id);
  const auditor = web.as(await openPerson(database.db, { role: 'auditor' }));
  const codes = await Promise.all(
    [olga, auditor, alice].map(async (one) => (await one.mutate('operator.approvals.approve', body)).refusal?.code),
  );
  expect(codes).toEqual(['forbidden', 'forbidden', 'not_found']);
});

test('a no ends it and gives everything back, and the limit too', async () => {
  const { id, alice } = await askForMuch();
  const body = { ...(await decision(id)), reason: 'not the usual address' };
  expect((await oscar.mutate('operator.approvals.reject', body)).data).toEqual({ kind: 'rejected' });
  expect(await statusOf(id)).toBe('rejected');
  const { balances } = (await alice.query<{ balances: { assetId: string; available: string }[] }>('account.balances'))
    .data;
  expect(balances.find((one) => one.assetId === 'USDC')?.available).toBe('100');
  expect((await nina.mutate('operator.approvals.approve', body)).refusal?.code).toBe('already_done');
  const again = { asset: 'USDC', network: 'ethereum', address: `0x${'ab'.repeat(20)}`, memo: null, amount: '4' };
  expect((await alice.request(again, randomUUID())).data.withdrawal.status).toBe('queued');
});

test('a yes and a cancel at once: one of them wins, and the coins are held or free accordingly', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, alice } = await askForMuch();
    const body = await decision(id);
    await Promise.all([approve(oscar, body), alice.mutate('withdrawal.cancel', { withdrawalId: id })]);
    const [row] = await database.run<{ status: string; held: string }>(
      `select w.status, b.held_minor as held from withdrawals w
       join customer_balances b on b.customer_id = w.customer_id and b.asset_id = w.asset_id where w.id = $1`,
      [id],
    );
    expect([
      { status: 'queued', held: '20500000' },
      { status: 'cancelled', held: '0' },
    ]).toContainEqual(row);
  }
});

test('while we only look nobody approves or rejects, and both are told to ask again', async () => {
  const { id } = await askForMuch();
  const body = await decision(id);
  await database.run(`update protocol_settings set mode = 'look_up_only'`);
  try {
    expect((await approve(oscar, body)).refusal?.code).toBe('not_now');
    expect((await oscar.mutate('operator.approvals.reject', body)).refusal?.code).toBe('not_now');
    expect(await database.run('select 1 from approvals where withdrawal_id = $1', [id])).toHaveLength(0);
  } finally {
    await database.run(END_LOOK_UP_ONLY);
  }
});

test('nobody rejects what our own memory may only believe unsent, before custody’s list was walked', async () => {
  const { id } = await askForMuch();
  const body = await decision(id);
  await database.run('update protocol_settings set alive_at = null');
  expect((await oscar.mutate('operator.approvals.reject', body)).refusal?.code).toBe('not_now');
  await database.run(`update protocol_settings set alive_at = 'infinity'`);
  expect(await statusOf(id)).toBe('awaiting_approval');
  expect((await oscar.mutate('operator.approvals.reject', body)).data).toEqual({ kind: 'rejected' });
});

test('every decision is in the audit, in a chain that shows where it was tampered with', async () => {
  const verify = (rows: number, after = AUDIT_BEGINNING) => verifyAudit(database, { after, rows });
  const whole = await verify(1_000);
  expect(whole.rows).toBeGreaterThan(10);
  expect(whole.firstBreak).toBeNull();
  // In parts it is the same chain.
  const part = await verify(4);
  expect(part).toMatchObject({ rows: 4, firstBreak: null, more: true });
  expect(await verify(1_000, part.through)).toEqual({ ...whole, rows: whole.rows - 4 });
  await database.run('alter table audit_log disable trigger audit_log_append_only');
  await database.run(`update audit_log set actor_id = 'nobody' where seq = 3`);
  expect((await verify(1_000)).firstBreak).toBe(3n);
  expect((await verify(1_000, part.through)).firstBreak).toBeNull();
  await database.run('delete from audit_log where seq = 5');
  expect((await verify(1_000, part.through)).firstBreak).toBe(6n);
  // A chain that was cut off holds by itself, and not for whoever kept its end.
  await database.run('delete from audit_log where seq > 4');
  expect((await verify(1_000, part.through)).firstBreak).toBeNull();
  expect((await verify(1_000, whole.through)).firstBreak).toBe(whole.through.seq);
});
