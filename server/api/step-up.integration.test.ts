import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import type { SecurityView } from '#server/auth/find-security.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

const PASSWORD = 'a password of some length';
const KNOWN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

let database: TestDatabase;
let web: TestWeb;
let alice: TestPerson;
let secret: string;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  // A freeze has a test of its own; here withdrawals go on at once.
  await database.run(`update protocol_settings set security_freeze = '0', security_review = '0'`);
  web = await openTestWeb(database.db);
});
afterAll(async () => {
  await web.close();
  await database.close();
});

beforeEach(async () => {
  alice = await openCustomerWithPassword();
  secret = await setUp(alice);
});

async function openCustomerWithPassword(): Promise<TestPerson> {
  const person = await openPerson(database.db, { balances: { USDC: 1_000_000_000n } });
  const password = await hashPassword(PASSWORD);
  await database.run(
    `insert into accounts (id, account_id, provider_id, user_id, password) values ($1, $2::uuid::text, 'credential', $2, $3)`,
    [randomUUID(), person.userId, password],
  );
  return web.as(person);
}

/** Confirmed with the code of the step before, so that today's code is still unused. */
async function setUp(person: TestPerson): Promise<string> {
  const begun = await person.mutate<{ secret: string }>('security.setUpTotp', { password: PASSWORD });
  const code = codeOf(begun.data.secret, -30);
  expect((await person.mutate('security.confirmTotp', { code })).status).toBe(200);
  return begun.data.secret;
}

function codeOf(of: string, shiftSeconds = 0): string {
  return generateSync({ secret: of, epoch: Math.floor(Date.now() / 1_000) + shiftSeconds });
}

function order(more: Record<string, unknown> = {}) {
  return { asset: 'USDC', network: 'ethereum', address: KNOWN, memo: null, amount: '2', ...more };
}

const totp = (code: string) => ({ stepUp: { kind: 'totp', code } });

test('a new address is confirmed with a code, and the code is taken once', async () => {
  const key = randomUUID();
  const bare = await alice.request(order(), key);
  expect(bare.refusal?.code).toBe('step_up_required');
  const code = codeOf(secret);
  const accepted = await alice.request(order(totp(code)), key);
  expect(accepted.status).toBe(200);
  const other = await alice.request(order({ amount: '3', ...totp(code) }), randomUUID());
  expect(other.refusal?.code).toBe('step_up_wrong');
  const uses = await database.run('select method from step_up_uses where withdrawal_id = $1', [
    accepted.data.withdrawal.withdrawalId,
  ]);
  expect(uses).toEqual([{ method: 'totp' }]);
});

test('a retry whose code was spent is a replay, with the code, with another one, and with none', async () => {
  const key = randomUUID();
  const body = order(totp(codeOf(secret)));
  const first = await alice.request(body, key);
  for (const again of [body, order(), order(totp('000000'))]) {
    const answer = await alice.request(again, key);
    expect(answer.data.replayed).toBe(true);
    expect(answer.data.withdrawal.withdrawalId).toBe(first.data.withdrawal.withdrawalId);
  }
});

test('twenty copies at once with one code and one key are one withdrawal', async () => {
  const key = randomUUID();
  const body = order(totp(codeOf(secret)));
  const answers = await Promise.all(Array.from({ length: 20 }, () => alice.request(body, key)));
  expect(new Set(answers.map((answer) => answer.data.withdrawal.withdrawalId)).size).toBe(1);
});

test('one code that is sent at once with two requests confirms one of them', async () => {
  const body = (amount: string) => order({ amount, ...totp(codeOf(secret)) });
  const answers = await Promise.all(['2', '3', '4', '5'].map((amount) => alice.request(body(amount), randomUUID())));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('five wrong codes lock, and the right one is not looked at then; a known key is still answered', async () => {
  const key = randomUUID();
  await alice.request(order(totp(codeOf(secret))), key);
  const wrong = order({ amount: '4', ...totp('000000') });
  const codes: (string | undefined)[] = [];
  for (let turn = 0; turn < 6; turn += 1) codes.push((await alice.request(wrong, randomUUID())).refusal?.code);
  expect(codes).toEqual([...Array(4).fill('step_up_wrong'), 'step_up_locked', 'step_up_locked']);
  const right = await alice.request(order({ amount: '4', ...totp(codeOf(secret, 30)) }), randomUUID());
  expect(right.refusal?.code).toBe('step_up_locked');
  expect((await alice.request(order(), key)).data.replayed).toBe(true);
});

test('without a second factor small sums need no code, and large ones are refused until there is one', async () => {
  const bob = await openCustomerWithPassword();
  await database.run(`insert into tiers select 'small', 'Small', auto_limit_24h_reference_minor, auto_limit_30d_reference_minor,
    second_approval_reference_minor, null, null, velocity_max, velocity_window, breaker_requests_max, 100 * 1e8
    from tiers where id = 'institution' on conflict do nothing`);
  await database.run(
    `update customers set tier = 'small' from (select set_config('session_replication_role', 'replica', true)) past where id = $1`,
    [bob.userId],
  );
  expect((await bob.request(order({ amount: '5' }), randomUUID())).status).toBe(200);
  const large = await bob.request(order({ amount: '500' }), randomUUID());
  expect(large.refusal?.code).toBe('step_up_required');
  const need = await bob.query<{ reasons: string[]; methods: string[] }>('withdrawal.stepUp', order({ amount: '500' }));
  const destination = { timesPaid: 0, savedAs: null };
  expect(need.data).toEqual({ reasons: ['amount'], methods: [], lockedUntil: null, destination });
});

test('a recovery code removes a lost authenticator once, and the change freezes withdrawals', async () => {
  await database.run(`update protocol_settings set security_freeze = '24 hours'`);
  try {
    const bob = await openCustomerWithPassword();
    const begun = await bob.mutate<{ secret: string }>('security.setUpTotp', { password: PASSWORD });
    const set = await bob.mutate<{ recoveryCodes: string[] }>('security.confirmTotp', {
      code: codeOf(begun.data.secret),
    });
    const [code = ''] = set.data.recoveryCodes;
    expect(set.data.recoveryCodes).toHaveLength(10);
    const view = await bob.query<SecurityView>('security.overview');
    expect(view.data).toMatchObject({ totp: true, recoveryCodesLeft: 10 });
    expect(Date.parse(view.data.frozenUntil ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect((await bob.mutate('security.removeTotp', { code: 'aaaaa-aaaaa' })).refusal?.code).toBe('step_up_wrong');
    const typed = code.toUpperCase().replace('-', ' ');
    expect((await bob.mutate('security.removeTotp', { code: typed })).status).toBe(200);
    expect((await bob.query<SecurityView>('security.overview')).data.totp).toBe(false);
    expect((await bob.request(order(), randomUUID())).refusal?.code).toBe('customer_frozen');
  } finally {
    await database.run(`update protocol_settings set security_freeze = '0'`);
  }
});

test('setting up asks for the password, and the secret is sealed', async () => {
  const bob = await openCustomerWithPassword();
  const wrong = await bob.mutate('security.setUpTotp', { password: 'not it' });
  expect(wrong.refusal?.code).toBe('password_wrong');
  const begun = await bob.mutate<{ secret: string; uri: string }>('security.setUpTotp', { password: PASSWORD });
  expect(begun.data.uri).toContain(begun.data.secret);
  const [row] = await database.run<{ kept: string }>(
    `select encode(secret_sealed, 'escape') as kept from totp_factors where user_id = $1`,
    [bob.userId],
  );
  expect(row?.kept).not.toContain(begun.data.secret);
});

test('sessions of others are neither shown nor ended, and ending the rest leaves this one', async () => {
  const other = await openPerson(database.db);
  const own = await alice.query<SecurityView>('security.overview');
  expect(own.data.sessions).toHaveLength(1);
  expect(own.data.sessions[0]?.isThis).toBe(true);
  const theirs = await web.as(other).query<SecurityView>('security.overview');
  const sessionId = theirs.data.sessions[0]?.sessionId;
  expect((await alice.mutate('security.endSessions', { sessionId })).data).toEqual({ ended: 0 });
  expect((await alice.mutate('security.endSessions', { sessionId: null })).data).toEqual({ ended: 0 });
  expect((await alice.query('security.overview')).status).toBe(200);
});
