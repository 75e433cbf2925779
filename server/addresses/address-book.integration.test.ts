import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AddressBook, AddressEntry } from '#server/addresses/find-address-book.ts';
import { findContract } from '#server/addresses/find-contract.ts';
import { keepHotWallets } from '#server/addresses/keep-hot-wallets.ts';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

const CONTRACT = `0x${'c0'.repeat(20)}`;
const UNIT = 1_000_000n;

let database: TestDatabase;
let web: TestWeb;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: CONTRACT, USDT: null } });
  await database.run('update protocol_settings set clock_movable = true');
  web = await openTestWeb(database.db);
});
afterAll(async () => {
  await web.close();
  await database.close();
});

const anAddress = () => `0x${randomUUID().replaceAll('-', '')}aabbccdd`;
const aCustomer = async () =>
  web.as(await openPerson(database.db, { balances: { USDC: 1_000n * UNIT, XRP: 1_000n * UNIT } }));
const pay = async (person: TestPerson, address: string, more: object = {}) => {
  const body = { asset: 'USDC', network: 'ethereum', address, memo: null, amount: '1', ...more };
  const answer = await person.request(body, randomUUID());
  return answer.refusal?.code ?? answer.data.withdrawal.status;
};
const add = (person: TestPerson, address: string, more: object = {}) =>
  person.mutate<{ entry: AddressEntry }>('addressBook.add', { network: 'ethereum', address, label: 'Cold', ...more });
const book = async (person: TestPerson) => (await person.query<AddressBook>('addressBook.list')).data;

async function at<Result>(offset: string, work: () => Promise<Result>): Promise<Result> {
  await database.run('update protocol_settings set clock_offset = $1::interval', [offset]);
  // A price that does not age while the clock runs ahead, so that only the hold is judged.
  await database.run('update prices set as_of = protocol_now()');
  try {
    return await work();
  } finally {
    await database.run(`update protocol_settings set clock_offset = '0'`);
  }
}

test('a new entry waits a day before its first use, to the minute, and says until when', async () => {
  const alice = await aCustomer();
  const address = anAddress();
  const { entry } = (await add(alice, address)).data;
  expect(new Date(entry.usableFrom).getTime() - new Date(entry.addedAt).getTime()).toBe(86_400_000);
  expect(entry.usable).toBe(false);
  expect(await pay(alice, address)).toBe('address_on_hold');
  expect(await at('23 hours 59 minutes', () => pay(alice, address))).toBe('address_on_hold');
  expect(await at('24 hours 1 minute', () => pay(alice, address))).toBe('queued');
});

test('AD02: one account in another letter case is one entry, and the same destination', async () => {
  const alice = await aCustomer();
  const address = anAddress();
  const first = (await add(alice, address)).data.entry;
  const again = (await add(alice, address.toUpperCase().replace('0X', '0x'))).data.entry;
  expect(again.addressId).toBe(first.addressId);
  expect((await book(alice)).entries).toHaveLength(1);
});

test('an entry without a tag and one with it are two destinations', async () => {
  const alice = await aCustomer();
  const address = 'rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH';
  await add(alice, address, { network: 'xrp' });
  await add(alice, address, { network: 'xrp', memo: '7' });
  expect((await book(alice)).entries.map(({ memo }) => memo).sort()).toEqual(['7', null]);
  const xrp = { asset: 'XRP', network: 'xrp', amount: '2' };
  expect(await at('25 hours', () => pay(alice, address, { ...xrp, memo: '8' }))).toBe('queued');
});

test('an entry is its owner’s: nobody else sees, uses or removes it', async () => {
  const [alice, bob] = [await aCustomer(), await aCustomer()];
  const { entry } = (await add(alice, anAddress())).data;
  expect((await book(bob)).entries).toEqual([]);
  expect((await bob.mutate('addressBook.remove', { addressId: entry.addressId })).refusal?.code).toBe('not_found');
  expect((await alice.mutate('addressBook.remove', { addressId: entry.addressId })).status).toBe(200);
  expect((await book(alice)).entries).toEqual([]);
});

test('with the allow-list on, only entries that waited are paid; it goes off after its delay and not before', async () => {
  const alice = await aCustomer();
  const known = anAddress();
  await add(alice, known);
  await alice.mutate('addressBook.setAllowList', { on: true });
  expect(await pay(alice, anAddress())).toBe('address_not_allowed');
  expect(await at('25 hours', () => pay(alice, known))).toBe('queued');
  const off = (await alice.mutate<AddressBook>('addressBook.setAllowList', { on: false })).data;
  expect(off.allowListOn).toBe(true);
  expect(off.allowListOffAt).not.toBeNull();
  expect(await at('23 hours 59 minutes', () => pay(alice, anAddress()))).toBe('address_not_allowed');
  expect(await at('24 hours 1 minute', () => pay(alice, anAddress()))).toBe('queued');
  expect((await alice.mutate<AddressBook>('addressBook.setAllowList', { on: true })).data.allowListOffAt).toBeNull();
});

test('a changed password freezes withdrawals for a day, whatever wrote it, then a person looks for a week', async () => {
  const alice = await aCustomer();
  const account = randomUUID();
  await database.run(
    `insert into accounts (id, account_id, provider_id, user_id, password) values ($1::uuid, $1::uuid::text, 'credential', $2, 'old')`,
    [account, alice.userId],
  );
  expect(await pay(alice, anAddress())).toBe('queued');
  await database.run(`update accounts set password = 'new' where id = $1`, [account]);
  expect(await pay(alice, anAddress())).toBe('customer_frozen');
  expect((await book(alice)).frozenUntil).not.toBeNull();
  const [waiting] = await database.run(
    `select (select reason from payout_stops(w)) as reason from withdrawals w where w.customer_id = $1 and w.status = 'queued'`,
    [alice.userId],
  );
  expect(waiting?.reason).toBe('customer_frozen');
  expect(await at('24 hours 1 minute', () => pay(alice, anAddress()))).toBe('awaiting_approval');
  expect(await at('8 days', () => pay(alice, anAddress()))).toBe('queued');
});

test('AD09: our own deposit addresses are refused before any hold, in every spelling and with any tag', async () => {
  const alice = await aCustomer();
  const ours = anAddress();
  await database.run(
    `insert into own_addresses (network_id, address, kind) values ('ethereum', $1, 'deposit'), ('xrp', $2, 'deposit')`,
    [(await add(await aCustomer(), ours)).data.entry.address, 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'],
  );
  expect(await pay(alice, ours)).toBe('address_own_deposit');
  expect(await pay(alice, ours.toUpperCase().replace('0X', '0x'))).toBe('address_own_deposit');
  const xrp = { asset: 'XRP', network: 'xrp', amount: '2', memo: '77' };
  expect(await pay(alice, 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', xrp)).toBe('address_own_deposit');
  expect((await add(alice, ours)).refusal?.code).toBe('address_own_deposit');
  const [held] = await database.run(`select sum(held_minor) as held from customer_balances where customer_id = $1`, [
    alice.userId,
  ]);
  expect(held?.held).toBe('0');
});

test('AD08: the zero address and a token’s contract are refused, at the door and for the book', async () => {
  const alice = await aCustomer();
  const zero = `0x${'0'.repeat(40)}`;
  expect([await pay(alice, zero), await pay(alice, CONTRACT)]).toEqual(['address_unusable', 'address_token_contract']);
  expect([(await add(alice, zero)).refusal?.code, (await add(alice, CONTRACT)).refusal?.code]).toEqual([
    'address_unusable',
    'address_token_contract',
  ]);
});

test('AD08, AD09: the wallets that custody pays from are ours as well, whatever custody calls those without an address', async () => {
  const alice = await aCustomer();
  const wallet = anAddress();
  const balance = { asset: 'USDC', network: 'ethereum', available: '1' };
  const balances = [
    { ...balance, address: wallet.toUpperCase().replace('0X', '0x') },
    { ...balance, asset: 'BTC', network: 'bitcoin', address: null },
    { ...balance, asset: 'SOL', network: 'solana', address: 'vault 7' },
    { ...balance, asset: 'X', network: 'elsewhere', address: anAddress() },
  ];
  expect(await keepHotWallets(database, { balances })).toEqual({ kept: 1 });
  expect(await keepHotWallets(database, { balances })).toEqual({ kept: 0 });
  expect(await pay(alice, wallet)).toBe('address_own_deposit');
});

test('AD08: a contract is told from an account, a delegated account is one, and silence is never taken for no', async () => {
  const codes: Record<string, string> = { '0xc0': '0x6080', '0xde': '0xEF0100aa', '0xee': '0x' };
  const node = createServer(async (request, response) => {
    const { params } = JSON.parse(await text(request));
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: codes[params[0]], error: { message: 'no' } }));
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const address = node.address();
  const chainRpcUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const kindOf = (of: string) => findContract({ chainRpcUrl, address: of });
  expect([await kindOf('0xc0'), await kindOf('0xde'), await kindOf('0xee')]).toEqual([
    'contract',
    'account',
    'account',
  ]);
  expect(await kindOf('0xff')).toBe('unknown');
  node.closeAllConnections();
  await new Promise((resolve) => node.close(resolve));
  expect(await kindOf('0xc0')).toBe('unknown');
});

test('EC21: the same address, asset and amount within ten minutes needs a new request that names the first', async () => {
  const alice = await aCustomer();
  const body = { asset: 'USDC', network: 'ethereum', address: anAddress(), memo: null, amount: '3' };
  const first = (await alice.request(body, randomUUID())).data.withdrawal.withdrawalId;
  const second = await alice.request(body, randomUUID());
  expect([second.refusal?.code, second.refusal?.withdrawalId]).toEqual(['look_alike', first]);
  expect((await alice.request({ ...body, lookAlikeOf: first }, randomUUID())).data.withdrawal.status).toBe('queued');
  expect((await alice.request({ ...body, amount: '3.000001' }, randomUUID())).data.withdrawal.status).toBe('queued');
});
