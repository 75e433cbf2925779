import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  openPerson,
  openTestWeb,
  TEST_ORIGIN,
  type TestPerson,
  type TestWeb,
} from '#server/api/api-world.test-support.ts';
import { createAuth } from '#server/auth/create-auth.ts';
import type { SecurityView } from '#server/auth/find-security.ts';
import { secondFactorPlugin } from '#server/auth/second-factor-plugin.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { queueNotice } from '#server/notifications/queue-notice.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

const PASSWORD = 'a password of some length';
const SECRET = 'a secret that only tests know, of some length';

let database: TestDatabase;
let web: TestWeb;
let auth: ReturnType<typeof createAuth>;
let alice: TestPerson;
let secret: string;
let passwordHash: string;
let recoveryCodes: string[];

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  await database.run('update protocol_settings set clock_movable = true');
  web = await openTestWeb(database.db);
  // Hashed once: it is slow on purpose.
  passwordHash = await hashPassword(PASSWORD);
  const site = { publicUrl: TEST_ORIGIN, authSecret: SECRET };
  auth = createAuth(database, {
    publicUrl: TEST_ORIGIN,
    secret: SECRET,
    onUserCreated: () => Promise.resolve(),
    mail: null,
    guesses: null,
    secondFactor: secondFactorPlugin({ db: database.db, site, tell: queueNotice }),
  });
});
afterAll(async () => {
  await web.close();
  await database.close();
});
beforeEach(async () => {
  const person = await openPerson(database.db);
  await database.run(
    `insert into accounts (id, account_id, provider_id, user_id, password) values ($1, $2::uuid::text, 'credential', $2, $3)`,
    [randomUUID(), person.userId, passwordHash],
  );
  alice = web.as(person);
  const begun = await alice.mutate<{ secret: string }>('security.setUpTotp', { password: PASSWORD });
  secret = begun.data.secret;
  const set = await alice.mutate<{ recoveryCodes: string[] }>('security.confirmTotp', { code: codeOf(-30) });
  recoveryCodes = set.data.recoveryCodes;
});

const codeOf = (shiftSeconds = 0) => generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + shiftSeconds });

async function post(path: string, body: object, cookie = '') {
  const headers = { 'content-type': 'application/json', origin: TEST_ORIGIN, 'x-client-address': randomUUID(), cookie };
  const request = new Request(`${TEST_ORIGIN}/api/auth${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const response = await auth.handler(request);
  const cookies = response.headers.getSetCookie().filter((one) => !/Max-Age=0/i.test(one));
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? null : JSON.parse(text),
    cookie: cookies.at(-1)?.split(';')[0] ?? '',
  };
}

const signIn = (cookie = '') => post('/sign-in/email', { email: alice.email, password: PASSWORD }, cookie);
const pass = (challengeId: string, answer: object) => post('/sign-in/second-factor', { challengeId, answer });
const sessions = async () =>
  Number(
    (await database.run<{ n: string }>('select count(*) as n from sessions where user_id = $1', [alice.userId]))[0]?.n,
  );
const overview = async (cookie = alice.cookie) =>
  (await web.as({ ...alice, cookie }).query<SecurityView>('security.overview')).data;

test('the password alone opens no session for somebody with an authenticator, and its code does, once', async () => {
  const before = await sessions();
  const first = await signIn();
  expect(first.status).toBe(200);
  expect(first.body.secondFactor).toMatchObject({ methods: ['totp', 'recovery_code'], lockedUntil: null });
  expect(await sessions()).toBe(before);
  const { challengeId } = first.body.secondFactor;
  expect((await pass(challengeId, { kind: 'totp', code: '000000' })).body.code).toBe('step_up_wrong');
  const code = codeOf();
  const passed = await pass(challengeId, { kind: 'totp', code });
  expect(passed.status).toBe(200);
  expect((await overview(passed.cookie)).totp).toBe(true);
  expect((await pass(challengeId, { kind: 'totp', code: codeOf(30) })).body.code).toBe('second_factor_expired');
  const again = await signIn();
  expect((await pass(again.body.secondFactor.challengeId, { kind: 'totp', code })).body.code).toBe('step_up_wrong');
});

test('one code that two sign-ins bring at once opens one session', async () => {
  const questions = await Promise.all([signIn(), signIn(), signIn()]);
  const before = await sessions();
  const code = codeOf();
  const answers = await Promise.all(
    questions.map(({ body }) => pass(body.secondFactor.challengeId, { kind: 'totp', code })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await sessions()).toBe(before + 1);
});

test('five wrong codes lock for 15 minutes, and the right one is not looked at then', async () => {
  const { challengeId } = (await signIn()).body.secondFactor;
  const codes: string[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    codes.push((await pass(challengeId, { kind: 'totp', code: '000000' })).body.code);
  }
  expect(codes).toEqual([...Array(4).fill('step_up_wrong'), 'step_up_locked']);
  const right = await pass(challengeId, { kind: 'totp', code: codeOf() });
  expect(right.status).toBe(429);
  expect(Date.parse(right.body.detail)).toBeGreaterThan(Date.now());
  expect(Date.parse((await signIn()).body.secondFactor.lockedUntil)).toBeGreaterThan(Date.now());
});

test('a recovery code signs in once, and its owner is told by mail', async () => {
  const [code = ''] = recoveryCodes;
  const first = await pass((await signIn()).body.secondFactor.challengeId, { kind: 'recovery_code', code });
  expect(first.status).toBe(200);
  expect((await overview(first.cookie)).recoveryCodesLeft).toBe(9);
  const second = await pass((await signIn()).body.secondFactor.challengeId, { kind: 'recovery_code', code });
  expect(second.body.code).toBe('step_up_wrong');
  const told = await database.run(
    `select 1 from notifications where user_id = $1 and data->>'what' = 'recovery code used'`,
    [alice.userId],
  );
  expect(told).toHaveLength(1);
});

test('recovery codes are renewed for a code of the authenticator, and the old ones are void', async () => {
  const begun = await alice.mutate<{ challengeId: string }>('security.beginCheck', undefined);
  const { challengeId } = begun.data;
  const answer = { kind: 'totp', code: codeOf() };
  const renewed = await alice.mutate<{ recoveryCodes: string[] }>('security.renewRecoveryCodes', {
    challengeId,
    answer,
  });
  expect(renewed.data.recoveryCodes).toHaveLength(10);
  const [old = ''] = recoveryCodes;
  const [fresh = ''] = renewed.data.recoveryCodes;
  const { challengeId: asked } = (await signIn()).body.secondFactor;
  expect((await pass(asked, { kind: 'recovery_code', code: old })).body.code).toBe('step_up_wrong');
  expect((await pass(asked, { kind: 'recovery_code', code: fresh })).status).toBe(200);
});

test('a question of one person or purpose opens nothing of another', async () => {
  const bob = web.as(await openPerson(database.db));
  const { challengeId } = (await alice.mutate<{ challengeId: string }>('security.beginCheck', undefined)).data;
  const answer = { kind: 'totp', code: codeOf() };
  const stolen = await bob.mutate('security.renewRecoveryCodes', { challengeId, answer });
  expect(stolen.refusal?.code).toBe('second_factor_expired');
  expect((await pass(challengeId, answer)).body.code).toBe('second_factor_expired');
  const signInChallenge = (await signIn()).body.secondFactor.challengeId;
  const crossed = await alice.mutate('security.renewRecoveryCodes', { challengeId: signInChallenge, answer });
  expect(crossed.refusal?.code).toBe('second_factor_expired');
});

test('a new password keeps the session of whoever gave a second factor', async () => {
  const { challengeId } = (await signIn()).body.secondFactor;
  const { cookie } = await pass(challengeId, { kind: 'totp', code: codeOf() });
  const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD} and more`, revokeOtherSessions: true };
  const changed = await post('/change-password', body, cookie);
  expect(changed.status).toBe(200);
  expect(changed.body.secondFactor).toBeUndefined();
  expect((await overview(changed.cookie)).totp).toBe(true);
});

async function resetLink(): Promise<string> {
  const { challengeId } = (await signIn()).body.secondFactor;
  expect((await post('/sign-in/lost-second-factor', { challengeId })).body).toEqual({ outcome: 'sent' });
  const [row] = await database.run<{ url: string }>(
    `select data->>'url' as url from notifications where user_id = $1 and kind = 'second_factor_reset' order by id desc limit 1`,
    [alice.userId],
  );
  return new URL(row?.url ?? '').searchParams.get('token') ?? '';
}

const afterHours = (hours: number) =>
  database.run(`update protocol_settings set clock_offset = clock_offset + $1 * interval '1 hour'`, [hours]);

test('whoever lost every second factor gets in by password, mailbox and a wait of three days, and withdrawals rest', async () => {
  const token = await resetLink();
  const begun = await post('/second-factor-reset/start', { token });
  expect(Date.parse(begun.body.dueAt)).toBeGreaterThan(Date.now() + 71 * 3_600_000);
  await afterHours(71);
  expect((await post('/second-factor-reset/start', { token })).body).toEqual(begun.body);
  expect((await signIn()).body.secondFactor.resetDueAt).toBe(begun.body.dueAt);
  await afterHours(2);
  const signedIn = await signIn();
  expect(signedIn.body.secondFactor).toBeUndefined();
  const view = await overview(signedIn.cookie);
  expect(view).toMatchObject({ totp: false, passkeys: [], recoveryCodesLeft: 0, resetDueAt: null });
  expect(view.frozenUntil).not.toBeNull();
});

test('a second factor at sign-in, or its owner on the security page, stops a reset for good', async () => {
  for (const stop of [
    () => alice.mutate('security.stopReset', undefined),
    async () => pass((await signIn()).body.secondFactor.challengeId, { kind: 'totp', code: codeOf() }),
  ]) {
    const token = await resetLink();
    await post('/second-factor-reset/start', { token });
    expect((await overview()).resetDueAt).not.toBeNull();
    await stop();
    expect((await overview()).resetDueAt).toBeNull();
    expect((await post('/second-factor-reset/start', { token })).status).toBe(403);
    await afterHours(73);
    expect((await signIn()).body.secondFactor).toBeDefined();
  }
});

test('a link of a reset is good for an hour, and a newer one replaces it', async () => {
  const older = await resetLink();
  const newer = await resetLink();
  expect((await post('/second-factor-reset/start', { token: older })).status).toBe(403);
  await afterHours(2);
  expect((await post('/second-factor-reset/start', { token: newer })).status).toBe(403);
  expect((await overview()).resetDueAt).toBeNull();
});

test('the language of the page at sign-in is that of the mail', async () => {
  const language = async () =>
    (await database.run<{ language: string }>('select language from users where id = $1', [alice.userId]))[0]?.language;
  expect(await language()).toBe('en');
  await alice.mutate('account.setLanguage', { language: 'de' });
  expect(await language()).toBe('de');
  const email = `${randomUUID()}@test.example`;
  await post('/sign-up/email', { name: 'Neu', email, password: PASSWORD }, 'language=de');
  expect(await database.run('select language from users where email = $1', [email])).toEqual([{ language: 'de' }]);
});
