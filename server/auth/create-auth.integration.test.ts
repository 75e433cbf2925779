import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAuth } from '#server/auth/create-auth.ts';
import { findSession } from '#server/auth/session.ts';
import { openCustomer } from '#server/customers/open-customer.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

const ORIGIN = 'http://localhost:3000';
const SECRET = 'a secret that only tests know, of some length';
let database: TestDatabase;
let auth: ReturnType<typeof createAuth>;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: true, contracts: { USDC: null, USDT: null } });
  auth = openAuth(ORIGIN);
});
afterAll(() => database.close());

function openAuth(publicUrl: string) {
  const onUserCreated = (userId: string) => openCustomer({ db: database.db }, { userId });
  return createAuth(
    { db: database.db },
    { publicUrl, secret: SECRET, onUserCreated, mail: null, guesses: null, secondFactor: null },
  );
}

function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const all = { 'content-type': 'application/json', origin: ORIGIN, 'x-client-address': '203.0.113.7', ...headers };
  return auth.handler(
    new Request(`${ORIGIN}/api/auth${path}`, { method: 'POST', headers: all, body: JSON.stringify(body) }),
  );
}

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
const whoIs = (cookieHeader: string, publicUrl = ORIGIN) =>
  findSession({ db: database.db }, { cookieHeader, publicUrl, authSecret: SECRET });
const anEmail = () => `${randomUUID()}@test.example`;
const PASSWORD = 'long enough for anybody';

test('whoever signs up is a customer with an empty balance of every asset, and signed in', async () => {
  const email = anEmail();
  const answer = await post('/sign-up/email', { name: 'New Person', email, password: PASSWORD });
  expect(answer.status).toBe(200);
  const session = await whoIs(cookieOf(answer));
  expect(session).toMatchObject({ email, name: 'New Person', role: 'customer', frozen: false });
  const balances = await database.run(
    `select asset_id, available_minor, held_minor from customer_balances where customer_id = $1 order by 1`,
    [session?.userId],
  );
  expect(balances).toHaveLength(6);
  expect(balances).toContainEqual({ asset_id: 'USDC', available_minor: '0', held_minor: '0' });
});

test('nobody makes themselves an operator by asking for it', async () => {
  const email = anEmail();
  await post('/sign-up/email', { name: 'Ambitious', email, password: PASSWORD, role: 'operator' });
  const rows = await database.run('select role from users where email = $1', [email]);
  expect(rows.filter((row) => row.role !== 'customer')).toEqual([]);
  const signedIn = cookieOf(await post('/sign-in/email', { email, password: PASSWORD }));
  if (signedIn !== '') await post('/update-user', { role: 'operator' }, { cookie: signedIn });
  expect(
    (await database.run('select role from users where email = $1', [email])).filter((row) => row.role !== 'customer'),
  ).toEqual([]);
});

test.each([
  ['alice', 'customer'],
  ['bob', 'customer'],
  ['olga', 'operator'],
  ['oscar', 'approver'],
  ['petra', 'approver'],
  ['ada', 'auditor'],
])('the demo person %s signs in with the demo password and is %s', async (who, role) => {
  const answer = await post('/sign-in/email', { email: `${who}@demo.cryptoex.test`, password: 'demo-only-password' });
  expect(answer.status).toBe(200);
  expect(await whoIs(cookieOf(answer))).toMatchObject({ email: `${who}@demo.cryptoex.test`, role });
});

test('a wrong password gets no session, and the answer does not tell whether the person exists', async () => {
  const known = await post('/sign-in/email', { email: 'alice@demo.cryptoex.test', password: 'wrong and long enough' });
  const unknown = await post('/sign-in/email', { email: anEmail(), password: 'wrong and long enough' });
  expect([known.status, unknown.status]).toEqual([401, 401]);
  expect(await known.text()).toBe(await unknown.text());
  expect(cookieOf(known)).toBe('');
});

test('signing out ends the session on the server too', async () => {
  const cookie = cookieOf(
    await post('/sign-in/email', { email: 'bob@demo.cryptoex.test', password: 'demo-only-password' }),
  );
  expect(await whoIs(cookie)).not.toBeNull();
  expect((await post('/sign-out', {}, { cookie })).status).toBe(200);
  expect(await whoIs(cookie)).toBeNull();
});

test('the cookie is out of reach of scripts and foreign pages, and of plain http where the site is https', async () => {
  const credentials = { email: 'alice@demo.cryptoex.test', password: 'demo-only-password' };
  const [plain] = (await post('/sign-in/email', credentials)).headers.getSetCookie();
  expect(plain).toMatch(/^cryptoex\.session_token=.*HttpOnly.*SameSite=Lax/);
  const answer = await openAuth('https://exchange.example').api.signInEmail({ body: credentials, asResponse: true });
  const [secure] = answer.headers.getSetCookie();
  expect(secure).toMatch(/^__Secure-cryptoex\.session_token=.*HttpOnly.*Secure.*SameSite=Lax/);
  expect(await whoIs(cookieOf(answer), 'https://exchange.example')).toMatchObject({ email: credentials.email });
  expect(await whoIs(cookieOf(answer))).toBeNull();
});

test('guessing one password from one address ends in 429', async () => {
  const guess = (address: string) =>
    post('/sign-in/email', { email: 'alice@demo.cryptoex.test', password: 'no' }, { 'x-client-address': address });
  const answers = await Promise.all(Array.from({ length: 40 }, () => guess('198.51.100.1')));
  expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThanOrEqual(10);
  expect((await guess('198.51.100.2')).status).toBe(401);
});

test('a second seed changes nothing', async () => {
  const look = () =>
    database.run(`select (select count(*) from users) as users, (select count(*) from ledger_entries) as entries,
      (select sum(available_minor) from customer_balances) as available`);
  const before = await look();
  await seed({ db: database.db }, { demoMode: true, contracts: { USDC: null, USDT: null } });
  expect(await look()).toEqual(before);
});
