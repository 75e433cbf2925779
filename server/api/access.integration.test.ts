import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openPerson,
  signCookie,
  TEST_ORIGIN,
  type TestPerson,
  type TestWeb,
} from '#server/api/api-world.test-support.ts';
import { appRouter } from '#server/api/root.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import { openSeededWeb } from './seeded-web.test-support.ts';

let database: TestDatabase;
let web: TestWeb;
let close: () => Promise<void>;
let alice: TestPerson;
let bob: TestPerson;
let olga: TestPerson;

beforeAll(async () => {
  ({ database, web, close } = await openSeededWeb());
  alice = web.as(await openPerson(database.db, { balances: { USDC: 10_000_000_000n, ETH: 10n ** 19n } }));
  bob = web.as(await openPerson(database.db, { balances: { USDC: 10_000_000_000n } }));
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
});
afterAll(() => close());

const aRequest = (more: object = {}) => ({
  asset: 'USDC',
  network: 'ethereum',
  address: `0x${randomUUID().replaceAll('-', '')}aabbccdd`,
  amount: '10',
  ...more,
});
const take = async (person: TestPerson, more: object = {}) =>
  (await person.request(aRequest(more), randomUUID())).data.withdrawal;

test('OP08: nobody sees, cancels or proves what is not theirs, and is not told that it exists', async () => {
  const { withdrawalId } = await take(alice);
  const answers = [
    await bob.query('withdrawal.byId', { withdrawalId }),
    await bob.query('withdrawal.proof', { withdrawalId }),
    await bob.mutate('withdrawal.cancel', { withdrawalId }),
  ];
  const absent = await bob.query('withdrawal.byId', { withdrawalId: randomUUID() });
  for (const answer of answers) {
    expect(answer.status).toBe(404);
    expect(answer.refusal).toEqual(absent.refusal);
  }
  expect((await alice.query<{ status: string }>('withdrawal.byId', { withdrawalId })).data.status).toBe('queued');
  const list = await bob.query<{ items: { withdrawalId: string }[] }>('withdrawal.list', { limit: 100 });
  expect(list.data.items.map((item) => item.withdrawalId)).not.toContain(withdrawalId);
});

test('OP08: an id of somebody else beside the own request is refused, and nothing can be subscribed to', async () => {
  const { withdrawalId } = await take(alice);
  const others = { customerId: alice.userId, userId: alice.userId, accountId: alice.userId };
  for (const [name, id] of Object.entries(others)) {
    const answers = [
      await bob.query('withdrawal.list', { limit: 10, [name]: id }),
      await bob.query('withdrawal.byId', { withdrawalId, [name]: id }),
      await bob.query('withdrawal.proof', { withdrawalId, [name]: id }),
      await bob.mutate('withdrawal.cancel', { withdrawalId, [name]: id }),
      await bob.request(aRequest({ [name]: id }), randomUUID()),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.refusal?.code]).toEqual([400, 'unknown_field']);
    }
  }
  const list = await alice.query<{ items: object[] }>('withdrawal.list', { limit: 100 });
  expect(list.data.items.filter((item) => 'withdrawalId' in item && item.withdrawalId === withdrawalId)).toHaveLength(
    1,
  );
  // What moves is asked for again, each time by its owner: there is no stream that could be left open.
  const kinds = Object.values(appRouter._def.procedures).map((procedure) => Reflect.get(procedure, '_def').type);
  expect(new Set(kinds)).toEqual(new Set(['query', 'mutation']));
});

test("OP08: a customer finds no operator's page, an operator sees all and withdraws nothing", async () => {
  const { withdrawalId } = await take(alice);
  for (const procedure of ['operator.withdrawal', 'operator.withdrawals']) {
    const input = procedure === 'operator.withdrawal' ? { withdrawalId } : {};
    expect((await alice.query(procedure, input)).status).toBe(404);
  }
  const seen = await olga.query('operator.withdrawal', { withdrawalId });
  expect(seen.data).toMatchObject({
    withdrawal: { withdrawalId, customerEmail: alice.email, status: 'queued' },
    ledger: [{ transferKind: 'hold', debit: 'customer_available', credit: 'customer_held', amount: '10.5' }],
    custody: null,
  });
  expect((await olga.query('withdrawal.byId', { withdrawalId })).status).toBe(200);
  expect((await olga.request(aRequest(), randomUUID())).refusal?.code).toBe('forbidden');
  expect((await olga.mutate('withdrawal.cancel', { withdrawalId })).refusal?.code).toBe('forbidden');
});

test('without a session everything but the catalogue is closed', async () => {
  const nobody = web.as({ userId: '', email: '', cookie: '' });
  expect((await nobody.query('account.me')).data).toBeNull();
  expect((await nobody.query('asset.list')).status).toBe(200);
  for (const procedure of ['account.balances', 'withdrawal.list', 'operator.withdrawals']) {
    expect((await nobody.query(procedure, {})).refusal?.code).toBe('unauthorized');
  }
});

test.each([
  ['a signature of another secret', () => signCookie('whatever', 'another secret')],
  ['no signature', () => 'cryptoex.session_token=whatever'],
  ['a cut signature', () => alice.cookie.slice(0, -8)],
  ['broken encoding', () => 'cryptoex.session_token=%E0%A4%A'],
])('a session cookie with %s signs nobody in', async (_name, cookie) => {
  const stranger = web.as({ userId: '', email: '', cookie: cookie() });
  expect((await stranger.query('account.me')).data).toBeNull();
});

test('a session that ended, and a banned person, are signed out', async () => {
  const carol = web.as(await openPerson(database.db));
  expect((await carol.query('account.me')).data).toMatchObject({ id: carol.userId, role: 'customer' });
  await database.run('update users set banned = true where id = $1', [carol.userId]);
  expect((await carol.query('account.me')).data).toBeNull();
  await database.run('update users set banned = false where id = $1', [carol.userId]);
  await database.run(`update sessions set expires_at = now() - interval '1 second' where user_id = $1`, [carol.userId]);
  expect((await carol.query('account.me')).data).toBeNull();
});

test.each([
  ['a foreign origin', { origin: 'https://evil.example' }, 403],
  ['a null origin', { origin: 'null' }, 403],
  ['another port', { origin: 'http://localhost:3001' }, 403],
  ['the type that a form can send', { 'content-type': 'text/plain' }, 415],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
])('a mutation from %s is refused', async (_name, headers, status) => {
  const key = randomUUID();
  const answer = await alice.mutate('withdrawal.request', aRequest(), { 'idempotency-key': key, ...headers });
  expect(answer.status).toBe(status);
  expect(await database.run('select 1 from withdrawals where idempotency_key = $1', [key])).toHaveLength(0);
});

test('a cookie without an origin is refused, and so is a mutation by GET', async () => {
  const url = `${web.url}/api/trpc/withdrawal.giveUp`;
  const headers = { cookie: alice.cookie, 'content-type': 'application/json' };
  const key = { idempotencyKey: randomUUID() };
  expect((await fetch(url, { method: 'POST', headers, body: JSON.stringify(key) })).status).toBe(403);
  const byGet = await fetch(`${url}?input=${encodeURIComponent(JSON.stringify(key))}`, {
    headers: { ...headers, origin: TEST_ORIGIN },
  });
  expect(byGet.status).toBe(405);
  expect(await database.run('select 1 from withdrawals where idempotency_key = $1', [key.idempotencyKey])).toHaveLength(
    0,
  );
});

test('a body longer than any request of ours is refused before it is read', async () => {
  const answer = await alice.request(aRequest({ address: 'x'.repeat(40_000) }), randomUUID());
  expect(answer.status).toBe(413);
});

const MALFORMED = [
  '',
  ' ',
  '-1',
  '−1',
  '+1',
  '-0',
  '1e3',
  '1e-8',
  '1E3',
  'Infinity',
  'NaN',
  '0x10',
  '1_000',
  ' 1',
  '1 ',
  '1,5',
  '1,000',
  '1.000,00',
  '1 000',
  '.5',
  '5.',
  '1.2.3',
  '٣',
  '１',
  'null',
  '1\u200b',
  '1n',
];

test.each(MALFORMED)('AM06, AM07, AM08: the amount %j is refused and moves nothing', async (amount) => {
  const answer = await alice.request(aRequest({ amount }), randomUUID());
  expect([answer.status, answer.refusal?.code]).toEqual([400, 'amount_malformed']);
  expect(answer.refusal?.fields).toEqual(['amount']);
});

test.each([
  ['0', 400, 'amount_not_positive'],
  ['0.000000', 400, 'amount_not_positive'],
  ['1.0000001', 400, 'amount_too_many_decimals'],
  [`1${'0'.repeat(90)}`, 400, 'amount_too_large'],
  ['0.999999', 422, 'amount_below_minimum'],
  ['99999999', 422, 'insufficient_funds'],
])('AM05: the amount %s is refused with %i %s', async (amount, status, code) => {
  const answer = await alice.request(aRequest({ amount }), randomUUID());
  expect([answer.status, answer.refusal?.code]).toEqual([status, code]);
});

test.each([
  ['an unknown asset', { asset: 'DOGE' }, 'asset_unknown'],
  ['an asset in other letters', { asset: 'usdc' }, 'asset_unknown'],
  ['AD07: an unknown network', { network: 'polygon' }, 'network_unknown'],
  ['AD07: no network', { network: undefined }, 'network_unknown'],
  [
    'AD02: one flipped letter',
    { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('aAeb', 'aaeb') },
    'address_checksum',
  ],
  [
    'AD01: an invisible character',
    { address: `0x5aAeb6053F3E94C9b9A0\u200b9f33669435E7Ef1BeAed` },
    'address_malformed',
  ],
  ['an address of another network', { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }, 'address_wrong_network'],
  ['AD08: the zero address', { address: `0x${'0'.repeat(40)}` }, 'address_unusable'],
  ['AD08: the contract of the token', { address: `0x${'c0'.repeat(20)}` }, 'address_token_contract'],
  ['a memo where there is none', { memo: '7' }, 'memo_not_supported'],
  ['an unknown way of paying the fee', { feeMode: 'never' }, 'request_malformed'],
  ['a malformed quoted fee', { quotedFee: '-1' }, 'amount_malformed'],
])('%s is refused with a stable code and a sentence', async (_name, change, code) => {
  const key = randomUUID();
  const answer = await alice.request(aRequest(change), key);
  expect(answer.refusal).toMatchObject({ code, message: expect.stringMatching(/\.$/) });
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).not.toMatch(/select |insert |at .*\.ts/);
  expect(await database.run('select 1 from withdrawals where idempotency_key = $1', [key])).toHaveLength(0);
});

test('EC92, AM01, DB12, DB13: eighteen decimals go in and come out digit by digit', async () => {
  const carol = web.as(await openPerson(database.db, { balances: { ETH: 2n * 10n ** 23n } }));
  const amount = '123456.123456789123456789';
  const withdrawal = await take(carol, { asset: 'ETH', amount });
  expect(withdrawal).toMatchObject({ amount, fee: '0.001', total: '123456.124456789123456789' });
  const [row] = await database.run('select amount_minor::text from withdrawals where id = $1', [
    withdrawal.withdrawalId,
  ]);
  expect(row).toEqual({ amount_minor: '123456123456789123456789' });
});

test('AD06: a destination tag is asked for, null says that none is needed, and nothing else says so', async () => {
  const carol = web.as(await openPerson(database.db, { balances: { XRP: 1_000_000_000n } }));
  const body = aRequest({ asset: 'XRP', network: 'xrp', address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' });
  expect((await carol.request(body, randomUUID())).refusal?.code).toBe('memo_required_choice');
  expect((await carol.request({ ...body, memo: null }, randomUUID())).data.withdrawal.memo).toBeNull();
});

test('cancel takes back what was not sent, once and for all, and gives back amount and fee', async () => {
  const carol = web.as(await openPerson(database.db, { balances: { USDC: 100_000_000n } }));
  const { withdrawalId } = await take(carol);
  type Cancelled = { kind: string; withdrawal: { status: string } };
  const answers = await Promise.all(
    [1, 2, 3].map(() => carol.mutate<Cancelled>('withdrawal.cancel', { withdrawalId })),
  );
  for (const answer of answers)
    expect(answer.data).toMatchObject({ kind: 'cancelled', withdrawal: { status: 'cancelled' } });
  const balances = await carol.query<{ balances: { assetId: string }[] }>('account.balances');
  expect(balances.data.balances).toContainEqual({
    assetId: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    available: '100',
    held: '0',
  });
  expect(
    await database.run(`select 1 from ledger_transfers where source_id = $1 and kind = 'void'`, [withdrawalId]),
  ).toHaveLength(1);
});

test('EC72: cancel is too late for what may have been sent, and changes nothing', async () => {
  const { withdrawalId } = await take(alice);
  await database.run(
    `with a as (insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256)
       values ($1, 1, 'send', 1, 'custody', 'main', '{}', encode(sha256('{}'), 'hex')))
     update withdrawals set status = 'dispatching', fence = 1, provider = 'custody', provider_account = 'main' where id = $1`,
    [withdrawalId],
  );
  const answer = await alice.mutate<{ kind: string }>('withdrawal.cancel', { withdrawalId });
  expect(answer.data).toMatchObject({ kind: 'too_late', withdrawal: { status: 'dispatching', canCancel: false } });
});

test('a list is complete and without repetition over pages of any size', async () => {
  const carol = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
  const taken: string[] = [];
  for (let turn = 0; turn < 7; turn += 1) taken.unshift((await take(carol)).withdrawalId);
  for (const limit of [1, 3, 7, 10]) {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      type Page = { items: { withdrawalId: string }[]; nextCursor: string | null };
      const page: { data: Page } = await carol.query<Page>('withdrawal.list', { cursor, limit });
      found.push(...page.data.items.map((item) => item.withdrawalId));
      cursor = page.data.nextCursor;
    } while (cursor !== null);
    expect(found).toEqual(taken);
  }
});

test('a queued withdrawal that nobody claims says that it waits', async () => {
  const { withdrawalId } = await take(alice);
  type View = { waitReason: string | null };
  expect((await alice.query<View>('withdrawal.byId', { withdrawalId })).data.waitReason).toBeNull();
  await expect
    .poll(async () => (await alice.query<View>('withdrawal.byId', { withdrawalId })).data.waitReason, {
      timeout: 6_000,
    })
    .toBe('waiting_for_dispatch');
});

test('staff find a withdrawal by anything that names it, and see how many there are of each', async () => {
  const withdrawal = await take(alice);
  type Page = { items: { withdrawalId: string }[]; counts: Record<string, number> };
  for (const search of [withdrawal.withdrawalId, withdrawal.idempotencyKey, withdrawal.address.toUpperCase()]) {
    const page = await olga.query<Page>('operator.withdrawals', { search });
    expect(page.data.items.map((item) => item.withdrawalId)).toEqual([withdrawal.withdrawalId]);
  }
  const byCustomer = await olga.query<Page>('operator.withdrawals', { search: alice.email, sort: 'worst_first' });
  expect(byCustomer.data.items.map((item) => item.withdrawalId)).toContain(withdrawal.withdrawalId);
  expect(byCustomer.data.counts.queued).toBeGreaterThan(0);
  expect((await olga.query<Page>('operator.withdrawals', { search: '%' })).data.items).toEqual([]);
});

test('UI15: no data answer may be stored on its way, and every one carries the headers that protect', async () => {
  const answer = await alice.query('account.balances');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const page = await fetch(`${web.url}/withdraw`);
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self' 'nonce-[^']{20,}' 'strict-dynamic'/);
  expect(page.headers.get('x-frame-options')).toBe('DENY');
});
