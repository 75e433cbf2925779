import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credit, openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
let web: TestWeb;
let otherWeb: TestWeb;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: `0x${'c0'.repeat(20)}`, USDT: null } });
  // Only a database without withdrawals may become one whose clock moves.
  await database.run('update protocol_settings set clock_movable = true');
  web = await openTestWeb(database.db);
  otherWeb = await openTestWeb(database.open());
});
afterAll(async () => {
  await web.close();
  await otherWeb.close();
  await database.close();
});

const USDC = 1_000_000n;
const anAddress = () => `0x${randomUUID().replaceAll('-', '')}aabbccdd`;
const aRequest = (more: object = {}) => ({
  asset: 'USDC',
  network: 'ethereum',
  address: anAddress(),
  memo: null,
  amount: '10',
  feeMode: 'on_top',
  ...more,
});
const aCustomer = async (balances: Record<string, bigint> = { USDC: 1_000n * USDC }): Promise<TestPerson> =>
  web.as(await openPerson(database.db, { balances }));
const rowsOf = (key: string) => database.run('select * from withdrawals where idempotency_key = $1', [key]);
const heldBy = async (person: TestPerson) => {
  const [row] = await database.run<{ held_minor: string }>(
    `select held_minor from customer_balances where customer_id = $1 and asset_id = 'USDC'`,
    [person.userId],
  );
  return row?.held_minor;
};

test('EC7, DB01: fifty parallel requests under one key are one withdrawal, and one of them is the first', async () => {
  const alice = await aCustomer();
  const key = randomUUID();
  const body = aRequest();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, turn) => (turn % 2 === 0 ? alice : otherWeb.as(alice)).request(body, key)),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(200));
  expect(new Set(answers.map((answer) => answer.data.withdrawal.withdrawalId)).size).toBe(1);
  expect(answers.filter((answer) => !answer.data.replayed)).toHaveLength(1);
  expect(await rowsOf(key)).toHaveLength(1);
  expect(await heldBy(alice)).toBe('10500000');
  const id = answers[0]?.data.withdrawal.withdrawalId;
  expect(await database.run('select 1 from outbox where withdrawal_id = $1', [id])).toHaveLength(1);
  expect(await database.run('select 1 from ledger_transfers where source_id = $1', [id])).toHaveLength(1);
});

test.each([
  ['EC8: amount', 'amount', { amount: '11' }],
  ['EC10: network', 'network', { asset: 'USDT', network: 'tron', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }],
  ['address', 'address', { address: anAddress() }],
  ['who pays the fee', 'feeMode', { feeMode: 'from_amount' }],
])('a known key with another %s is refused, naming it, and nothing changes', async (_name, field, change) => {
  const alice = await aCustomer();
  const key = randomUUID();
  const body = aRequest();
  const first = await alice.request(body, key);
  const before = await rowsOf(key);
  const second = await alice.request({ ...body, ...change }, key);
  expect(second.status).toBe(422);
  expect(second.refusal).toMatchObject({
    code: 'idempotency_key_reused',
    withdrawalId: first.data.withdrawal.withdrawalId,
  });
  expect(second.refusal?.fields).toContain(field);
  expect(await rowsOf(key)).toEqual(before);
});

test('EC10: a known key with another destination tag is refused', async () => {
  const alice = await aCustomer({ XRP: 100_000_000n });
  const key = randomUUID();
  const body = aRequest({ asset: 'XRP', network: 'xrp', address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', memo: '7' });
  expect((await alice.request(body, key)).status).toBe(200);
  expect((await alice.request({ ...body, memo: '8' }, key)).refusal).toMatchObject({
    code: 'idempotency_key_reused',
    fields: ['memo'],
  });
});

test('EC9: the same request in another spelling is a replay', async () => {
  const alice = await aCustomer();
  const key = randomUUID();
  const body = aRequest({ amount: '10.5' });
  const first = await alice.request(body, key);
  const spellings = [
    { ...body, amount: '10.50' },
    { ...body, amount: '010.500000' },
    { ...body, address: body.address.toUpperCase() },
    { ...body, address: ` ${body.address}\n` },
    Object.fromEntries(Object.entries(body).reverse()),
    { asset: body.asset, network: body.network, address: body.address, amount: body.amount },
  ];
  for (const spelling of spellings) {
    const again = await alice.request(spelling, key.toUpperCase());
    expect(again.data).toMatchObject({ replayed: true });
    expect(again.data.withdrawal.withdrawalId).toBe(first.data.withdrawal.withdrawalId);
  }
});

test("EC11: another customer's key is refused, and nothing of the owner's is in the answer", async () => {
  const alice = await aCustomer();
  const mallory = await aCustomer();
  const key = randomUUID();
  const body = aRequest();
  const first = await alice.request(body, key);
  const stolen = await mallory.request(body, key);
  const guessed = await mallory.request(aRequest({ amount: '99' }), key);
  const broken = await mallory.request({ nonsense: true }, key);
  for (const answer of [stolen, guessed, broken]) {
    expect(answer.status).toBe(422);
    expect(answer.refusal).toEqual({ code: 'idempotency_key_reused', message: expect.any(String) });
    expect(answer.text).not.toContain(first.data.withdrawal.withdrawalId);
    expect(answer.text).not.toContain(alice.userId);
  }
  expect(
    (await mallory.query<{ withdrawal: unknown }>('withdrawal.byKey', { idempotencyKey: key })).data.withdrawal,
  ).toBeNull();
  expect((await mallory.mutate('withdrawal.giveUp', { idempotencyKey: key })).refusal?.code).toBe(
    'idempotency_key_reused',
  );
  expect(await heldBy(mallory)).toBe('0');
  expect((await alice.request(body, key)).data.replayed).toBe(true);
});

test.each([
  ['empty', ''],
  ['300 characters', 'a'.repeat(300)],
  ['no UUID', 'not-a-uuid'],
  ['two values', `${randomUUID()}, ${randomUUID()}`],
  ['a list', `["${randomUUID()}"]`],
  ['nil', '00000000-0000-0000-0000-000000000000'],
  ['version 1', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
  ['a published example', '550e8400-e29b-41d4-a716-446655440000'],
])('EC12: a key that is %s is refused', async (_name, key) => {
  const alice = await aCustomer();
  const answer = await alice.request(aRequest(), key);
  expect(answer.status).toBe(400);
  expect(answer.refusal?.code).toMatch(/^idempotency_key_(malformed|missing)$/);
  expect(await heldBy(alice)).toBe('0');
});

test('EC12: a missing key is refused, and a quoted one equals a bare one', async () => {
  const alice = await aCustomer();
  expect((await alice.mutate('withdrawal.request', aRequest())).refusal?.code).toBe('idempotency_key_missing');
  const key = randomUUID();
  const body = aRequest();
  expect((await alice.request(body, `"${key}"`)).data.replayed).toBe(false);
  expect((await alice.request(body, key)).data.replayed).toBe(true);
});

test('EC13: two different keys in header and body are refused, equal ones are one', async () => {
  const alice = await aCustomer();
  const key = randomUUID();
  const conflicting = await alice.request(aRequest({ idempotencyKey: randomUUID() }), key);
  expect([conflicting.status, conflicting.refusal?.code]).toEqual([400, 'idempotency_key_conflicting']);
  const body = aRequest({ idempotencyKey: key.toUpperCase() });
  expect((await alice.request(body, key)).data.replayed).toBe(false);
  expect((await alice.mutate<{ replayed: boolean }>('withdrawal.request', body)).data.replayed).toBe(true);
});

test('EC14: after a refusal that stored nothing the corrected request is taken under the same key', async () => {
  const alice = await aCustomer();
  const key = randomUUID();
  const body = aRequest();
  expect((await alice.request({ ...body, amount: '10.1234567' }, key)).refusal?.code).toBe('amount_too_many_decimals');
  expect((await alice.request({ ...body, address: '0x12' }, key)).refusal?.code).toBe('address_malformed');
  expect(await rowsOf(key)).toHaveLength(0);
  expect((await alice.request(body, key)).data.replayed).toBe(false);
});

test('a known key is answered before its body is judged', async () => {
  const alice = await aCustomer();
  const key = randomUUID();
  const first = await alice.request(aRequest(), key);
  const withdrawalId = first.data.withdrawal.withdrawalId;
  for (const body of ['{', '', 'null', '[]', { ...aRequest(), amount: 5 }, aRequest({ tag: '1' })]) {
    const answer = await alice.request(body, key);
    expect([answer.status, answer.refusal?.code]).toEqual([422, 'idempotency_key_reused']);
    expect(answer.refusal?.withdrawalId).toBe(withdrawalId);
  }
});

test.each([
  ['tag', { tag: '12' }],
  ['destination_tag', { destination_tag: '12' }],
  ['Memo', { Memo: '12' }],
  ['chain', { chain: 'tron' }],
  ['fee', { fee: '0' }],
])('UI21: an unknown field %s is refused by name and never dropped', async (field, more) => {
  const alice = await aCustomer();
  const answer = await alice.request(aRequest(more), randomUUID());
  expect([answer.status, answer.refusal?.code]).toEqual([400, 'unknown_field']);
  expect(answer.refusal?.fields).toEqual([field]);
});

test('EC15, CU07: a refusal for lack of funds stays, also after a deposit; a new key is a new request', async () => {
  const alice = await aCustomer({ USDC: 5n * USDC });
  const key = randomUUID();
  const body = aRequest();
  const refused = await alice.request(body, key);
  expect([refused.status, refused.refusal?.code]).toEqual([422, 'insufficient_funds']);
  await credit(database.db, { userId: alice.userId, assetId: 'USDC', minor: 1_000n * USDC });
  const late = await alice.request(body, key);
  expect(late.refusal).toEqual(refused.refusal);
  expect(await heldBy(alice)).toBe('0');
  expect((await alice.request(body, randomUUID())).data.replayed).toBe(false);
});

test('EC20: a key names its withdrawal after 400 days', async () => {
  const alice = await aCustomer();
  const key = randomUUID();
  const body = aRequest();
  const first = await alice.request(body, key);
  await database.run(`update protocol_settings set clock_offset = '400 days'`);
  try {
    const again = await alice.request(body, key);
    expect(again.data).toMatchObject({ replayed: true });
    expect(again.data.withdrawal.withdrawalId).toBe(first.data.withdrawal.withdrawalId);
    expect((await alice.request({ ...body, amount: '1' }, key)).refusal?.code).toBe('idempotency_key_reused');
  } finally {
    await database.run(`update protocol_settings set clock_offset = '0'`);
  }
});

test('EC21: the same withdrawal again is refused as a look-alike, and taken when it names the first', async () => {
  const alice = await aCustomer();
  const body = aRequest();
  const first = await alice.request(body, randomUUID());
  const firstId = first.data.withdrawal.withdrawalId;
  const key = randomUUID();
  for (const answer of [await alice.request(body, key), await alice.request(body, key)]) {
    expect([answer.status, answer.refusal?.code]).toEqual([422, 'look_alike']);
    expect(answer.refusal?.withdrawalId).toBe(firstId);
  }
  const second = await alice.request({ ...body, lookAlikeOf: firstId }, randomUUID());
  expect(second.data.replayed).toBe(false);
  const third = await alice.request({ ...body, lookAlikeOf: firstId }, randomUUID());
  expect(third.refusal).toMatchObject({ code: 'look_alike', withdrawalId: second.data.withdrawal.withdrawalId });
});

test("another customer's withdrawal, or none, is no go-ahead for a look-alike", async () => {
  const alice = await aCustomer();
  const bob = await aCustomer();
  const body = aRequest();
  const bobs = await bob.request(body, randomUUID());
  await alice.request(body, randomUUID());
  for (const lookAlikeOf of [bobs.data.withdrawal.withdrawalId, randomUUID()]) {
    expect((await alice.request({ ...body, lookAlikeOf }, randomUUID())).refusal?.code).toBe('look_alike');
  }
});

test('EC23: a replay shows the state of now, on every node', async () => {
  const alice = await aCustomer();
  const key = randomUUID();
  const body = aRequest();
  const first = await alice.request(body, key);
  const { withdrawalId } = first.data.withdrawal;
  await alice.mutate('withdrawal.cancel', { withdrawalId });
  for (const node of [alice, otherWeb.as(alice)]) {
    const again = await node.request(body, key);
    expect(again.data).toMatchObject({ replayed: true, withdrawal: { status: 'cancelled', canCancel: false } });
  }
});

test('CU11: of two requests under one key at once one is taken, the other left no trace', async () => {
  const alice = await aCustomer({ USDC: 100_000n * USDC });
  for (let round = 0; round < 40; round += 1) {
    const key = randomUUID();
    const address = anAddress();
    const answers = await Promise.all([
      alice.request(aRequest({ address, amount: '1' }), key),
      otherWeb.as(alice).request(aRequest({ address, amount: '2' }), key),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
    expect(
      await database.run('select 1 from withdrawals where customer_id = $1 and address = $2', [alice.userId, address]),
    ).toHaveLength(1);
  }
});

test('a given-up key never takes its request, and a key that was taken cannot be given up', async () => {
  const alice = await aCustomer();
  const body = aRequest();
  const given = randomUUID();
  expect((await alice.mutate('withdrawal.giveUp', { idempotencyKey: given })).data).toEqual({ kind: 'given_up' });
  expect((await alice.mutate('withdrawal.giveUp', { idempotencyKey: given })).data).toEqual({ kind: 'given_up' });
  expect((await alice.request(body, given)).refusal?.code).toBe('given_up');
  const taken = randomUUID();
  const first = await alice.request(body, taken);
  expect((await alice.mutate('withdrawal.giveUp', { idempotencyKey: taken })).data).toMatchObject({
    kind: 'exists',
    withdrawal: { withdrawalId: first.data.withdrawal.withdrawalId, status: 'queued' },
  });
  const list = await alice.query<{ items: object[] }>('withdrawal.list', { limit: 100 });
  expect(list.data.items).toHaveLength(1);
});

test('giving up and asking at once end as one of the two, never as both', async () => {
  const alice = await aCustomer({ USDC: 100_000n * USDC });
  for (let round = 0; round < 20; round += 1) {
    const key = randomUUID();
    const [asked, given] = await Promise.all([
      alice.request(aRequest(), key),
      otherWeb.as(alice).mutate<{ kind: string }>('withdrawal.giveUp', { idempotencyKey: key }),
    ]);
    expect([asked.status === 200, given.data.kind]).toBeOneOf([
      [true, 'exists'],
      [false, 'given_up'],
    ]);
  }
});
