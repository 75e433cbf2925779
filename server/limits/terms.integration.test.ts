import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credit, openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import type { AskedDeed } from '#server/api/deed-subject.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { feedDemoPrices } from '#server/prices/feed-demo-prices.ts';
import { createCatalogueCache } from '#server/withdrawals/catalogue-cache.ts';
import { findAssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import type { Quote } from '#server/withdrawals/find-quote.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
let web: TestWeb;
let olga: TestPerson;
let oscar: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: null, USDT: null } });
  const cache = createCatalogueCache(database);
  // Always fresh: these tests change the catalogue between two lines.
  web = await openTestWeb(database.db, { catalogue: { read: () => cache.read({ fresh: true }) } });
  olga = web.as(await openPerson(database.db, { role: 'operator' }));
  oscar = web.as(await openPerson(database.db, { role: 'approver' }));
});
afterAll(async () => {
  await web.close();
  await database.close();
});

const anAddress = () => `0x${randomUUID().replaceAll('-', '')}aabbccdd`;
const aCustomer = async (balances: Record<string, bigint>) => web.as(await openPerson(database.db, { balances }));
const setTier = async (terms: Extract<AskedDeed, { deed: 'set_tier' }>['terms']) =>
  expect((await olga.confirm('operator.terms.setTier', terms, { deed: 'set_tier', terms })).data).toEqual({
    kind: 'set',
  });
const proposePrice = async (terms: { asset: string; price: string }) => {
  const proposalId = randomUUID();
  expect((await olga.mutate('operator.terms.proposePrice', { ...terms, proposalId })).data).toEqual({
    kind: 'proposed',
  });
  return proposalId;
};
const confirmPrice = (who: TestPerson, proposalId: string) =>
  who.confirm('operator.terms.confirmPrice', { proposalId }, { deed: 'set_price', subject: proposalId });
const setPrice = async (terms: { asset: string; price: string }) =>
  expect((await confirmPrice(oscar, await proposePrice(terms))).data).toEqual({ kind: 'set' });
const outcome = async (person: TestPerson, body: object) => {
  const answer = await person.request({ network: 'ethereum', address: anAddress(), memo: null, ...body }, randomUUID());
  return answer.refusal?.code ?? answer.data.withdrawal.status;
};

test('an asset that an operator adds can be withdrawn like any other, by everybody, with no line of code', async () => {
  const alice = await aCustomer({});
  const pair = {
    asset: 'DAI',
    name: 'Dai',
    decimals: 18,
    network: 'ethereum',
    contract: `0x${'da'.repeat(20)}`,
    minimum: '1',
    fee: '0.5',
    memoRule: 'none',
  };
  expect((await olga.mutate('operator.terms.addPair', pair)).data).toEqual({ kind: 'added' });
  expect((await olga.mutate('operator.terms.addPair', pair)).refusal?.code).toBe('already_done');
  await credit(database.db, { userId: alice.userId, assetId: 'DAI', minor: 10n ** 20n });
  // It begins switched off, and without a price two people look.
  expect(await outcome(alice, { asset: 'DAI', amount: '1.000000000000000001' })).toBe('pair_disabled');
  const terms = { asset: 'DAI', network: 'ethereum', minimum: '1', fee: '0.5', enabled: true };
  // Money can leave by it from then on: a session alone switches nothing on, nor does a signature under other terms.
  expect((await olga.mutate('operator.terms.changePair', terms)).refusal?.code).toBe('step_up_required');
  const cheap = { deed: 'set_pair', terms: { ...terms, fee: '0.1' } } as const;
  expect((await olga.confirm('operator.terms.changePair', terms, cheap)).refusal?.code).toBe('step_up_wrong');
  expect(await outcome(alice, { asset: 'DAI', amount: '1.000000000000000001' })).toBe('pair_disabled');
  const enabled = await olga.confirm('operator.terms.changePair', terms, { deed: 'set_pair', terms });
  expect(enabled.data).toEqual({ kind: 'changed' });
  expect(await outcome(alice, { asset: 'DAI', amount: '1.000000000000000001' })).toBe('awaiting_approval');
  const dai = { asset: 'DAI', price: '1.00000001' };
  await setPrice(dai);
  expect(await outcome(alice, { asset: 'DAI', amount: '1.000000000000000001' })).toBe('queued');
  expect(await outcome(alice, { asset: 'DAI', amount: '2', address: pair.contract })).toBe('address_token_contract');
  const [row] = await database.run(
    `select amount_minor, value_reference_minor from withdrawals where asset_id = 'DAI' and status = 'queued'`,
  );
  // 1.500000000000000001 of it, at 1.00000001, rounded up.
  expect(row).toEqual({ amount_minor: '1000000000000000001', value_reference_minor: '150000002' });
  const actions = await database.run(`select action from audit_log where actor_id = $1 order by seq`, [olga.userId]);
  expect(actions.map(({ action }) => action)).toEqual(['pair.add', 'pair.change', 'price.propose']);
});

test('terms of a pair, a network and an asset are an operator’s to change, each in the audit with before and after', async () => {
  const pair = {
    asset: 'XRP',
    network: 'xrp',
    minimum: '5',
    fee: '0.25',
    enabled: true,
    memoRule: 'optional' as const,
  };
  const reviewed = { ...pair, reviewAll: true };
  expect((await olga.mutate('operator.terms.changePair', reviewed)).refusal?.code).toBe('step_up_required');
  const about = { deed: 'set_pair', terms: reviewed } as const;
  expect((await olga.confirm('operator.terms.changePair', reviewed, about)).data).toEqual({ kind: 'changed' });
  // What is left out stays as it is.
  const { memoRule: _, ...rest } = pair;
  await olga.mutate('operator.terms.changePair', rest);
  const network = {
    network: 'xrp',
    confirmationsRequired: 7,
    explorerTransactionTemplate: 'https://explorer.test/{hash}',
  };
  // Customers press that address.
  expect((await olga.mutate('operator.terms.changeNetwork', network)).refusal?.code).toBe('step_up_required');
  const deep = { deed: 'set_network', terms: network } as const;
  expect((await olga.confirm('operator.terms.changeNetwork', network, deep)).data).toEqual({ kind: 'changed' });
  const fewer = { ...network, confirmationsRequired: 6 };
  expect((await olga.mutate('operator.terms.changeNetwork', fewer)).refusal?.code).toBe('step_up_required');
  const caps = { asset: 'XRP', cap24h: '100.5', atRiskMax: null };
  expect((await olga.mutate('operator.terms.changeAsset', caps)).data).toEqual({ kind: 'changed' });
  const none = { ...caps, cap24h: null };
  expect((await olga.mutate('operator.terms.changeAsset', none)).refusal?.code).toBe('step_up_required');
  const { assets } = (await olga.query<{ assets: { assetId: string; networks: object[] }[] }>('asset.list')).data;
  expect(assets.find(({ assetId }) => assetId === 'XRP')?.networks).toMatchObject([
    {
      minimum: '5',
      fee: '0.25',
      memoRule: 'optional',
      confirmationsRequired: 7,
      explorerTransactionTemplate: 'https://explorer.test/{hash}',
    },
  ]);
  const { pairs } = (await olga.query<{ pairs: { assetId: string }[] }>('operator.terms.show')).data;
  expect(pairs.filter(({ assetId }) => assetId === 'XRP')).toEqual([
    { assetId: 'XRP', networkId: 'xrp', reviewAll: true, cap24h: '100.5', atRiskMax: null },
  ]);
  const audited = await database.run(
    `select action, before ->> 'confirmations_required' as before, after ->> 'confirmations_required' as after from audit_log
     where subject = 'xrp' or subject = 'XRP' order by seq`,
  );
  expect(audited).toEqual([
    { action: 'network.change', before: '1', after: '7' },
    { action: 'asset.change', before: null, after: null },
  ]);
});

test.each([
  ['javascript:alert(1)//{hash}'],
  ['http://explorer.test/{hash}'],
  ['https://explorer.test/'],
  ['https://explorer.test/{hash}/{hash}'],
])('an explorer’s address of %s is refused: customers press it', async (explorerTransactionTemplate) => {
  const network = { network: 'xrp', confirmationsRequired: 7, explorerTransactionTemplate };
  expect((await olga.mutate('operator.terms.changeNetwork', network)).status).toBe(400);
});

test('AM09: an asset keeps its decimals: the same name with others is refused', async () => {
  const pair = {
    asset: 'USDC',
    name: 'USD Coin',
    decimals: 18,
    network: 'bitcoin',
    minimum: '1',
    fee: '1',
    memoRule: 'none',
  };
  expect((await olga.mutate('operator.terms.addPair', pair)).refusal?.code).toBe('changed_meanwhile');
});

test('AM04: a fee that changed since the quote asks again, and is never taken in silence', async () => {
  const alice = await aCustomer({ USDT: 100_000_000n });
  const quote = async () =>
    (await alice.query<{ fee: string }>('withdrawal.quote', { asset: 'USDT', network: 'ethereum' })).data.fee;
  const quotedFee = await quote();
  const terms = { asset: 'USDT', network: 'ethereum', minimum: '1', enabled: true };
  await olga.mutate('operator.terms.changePair', { ...terms, fee: '0.500001' });
  expect(await outcome(alice, { asset: 'USDT', amount: '10', quotedFee })).toBe('fee_changed');
  expect(await outcome(alice, { asset: 'USDT', amount: '10', quotedFee: await quote() })).toBe('queued');
  await olga.mutate('operator.terms.changePair', { ...terms, fee: '0.5' });
});

test.each(['on_top', 'from_amount'] as const)(
  'AM03, AM04: Max leaves exactly 0, the fee %s, down to the last of 18 decimals',
  async (feeMode) => {
    const alice = await aCustomer({ ETH: 123_456_789_123_456_789n });
    const { data } = await alice.query<{ maximumOnTop: string; maximumFromAmount: string }>('withdrawal.quote', {
      asset: 'ETH',
      network: 'ethereum',
    });
    const amount = feeMode === 'on_top' ? data.maximumOnTop : data.maximumFromAmount;
    expect(await outcome(alice, { asset: 'ETH', amount, feeMode })).toBe('queued');
    const [row] = await database.run(
      `select available_minor, held_minor from customer_balances where customer_id = $1 and asset_id = 'ETH'`,
      [alice.userId],
    );
    expect(row).toEqual({ available_minor: '0', held_minor: '123456789123456789' });
  },
);

test.each([
  ['500000', 'insufficient_funds'],
  ['1500000', 'queued'],
])(
  'AM04, AM06: with a balance of %s and a fee of 500000 the least that may be asked for is %s',
  async (balance, expected) => {
    const alice = await aCustomer({ USDC: BigInt(balance) });
    expect(await outcome(alice, { asset: 'USDC', amount: '1' })).toBe(expected);
    const { data } = await alice.query<{ maximumOnTop: string }>('withdrawal.quote', {
      asset: 'USDC',
      network: 'ethereum',
    });
    expect(data.maximumOnTop).toBe('0');
  },
);

test('a price by hand is one person’s to propose and another’s to confirm, once, within ten minutes', async () => {
  const terms = { asset: 'SOL', price: '151.25' };
  const priceOf = async () => (await findAssetCatalogue(database)).prices.get('SOL')?.referenceMinorPerUnit;
  const before = await priceOf();
  const proposalId = randomUUID();
  const press = (price: string) => olga.mutate('operator.terms.proposePrice', { ...terms, price, proposalId });
  const presses = await Promise.all([1, 2, 3].map(() => press(terms.price)));
  expect(presses.map(({ data }) => data)).toEqual(Array(3).fill({ kind: 'proposed' }));
  expect((await press('152')).refusal?.code).toBe('already_done');
  expect((await olga.query<{ prices: object[] }>('operator.terms.show')).data.prices).toContainEqual(
    expect.objectContaining({ assetId: 'SOL', proposal: expect.objectContaining({ proposalId, price: '151.25' }) }),
  );
  expect((await confirmPrice(olga, proposalId)).refusal?.code).toBe('second_person_needed');
  const alone = await oscar.mutate('operator.terms.confirmPrice', { proposalId });
  expect(alone.refusal?.code).toBe('step_up_required');
  expect(await priceOf()).toBe(before);
  expect((await confirmPrice(oscar, proposalId)).data).toEqual({ kind: 'set' });
  expect(await priceOf()).toBe(15_125_000_000n);
  expect((await confirmPrice(oscar, proposalId)).refusal?.code).toBe('already_done');
  const written = await database.run(`select action from audit_log where subject = 'SOL' order by seq`);
  expect(written).toEqual([{ action: 'price.propose' }, { action: 'price.set' }]);

  const old = await proposePrice({ ...terms, price: '1' });
  await database.run(
    `update price_proposals set proposed_at = proposed_at - interval '11 minutes'
     from (select set_config('session_replication_role', 'replica', true)) past where id = $1 returning id`,
    [old],
  );
  expect((await confirmPrice(oscar, old)).refusal?.code).toBe('changed_meanwhile');
});

test('a price ages: when it is old a person looks, and the feed makes it new, but not what an operator set', async () => {
  const alice = await aCustomer({ USDC: 100_000_000n });
  await database.run(`update prices set as_of = as_of - interval '11 minutes' where asset_id in ('USDC', 'BTC')`);
  await setPrice({ asset: 'BTC', price: '50000' });
  await database.run(`update prices set as_of = as_of - interval '11 minutes' where asset_id = 'BTC'`);
  expect(await outcome(alice, { asset: 'USDC', amount: '1' })).toBe('awaiting_approval');
  expect(await feedDemoPrices(database)).toEqual({ fed: 1 });
  expect(await outcome(alice, { asset: 'USDC', amount: '1' })).toBe('queued');
  const { prices } = await findAssetCatalogue(database);
  expect(prices.get('BTC')?.ageMs).toBeGreaterThan(600_000);
});

test('a tier that an operator changes counts from the next request on, and so does a customer’s tier', async () => {
  const alice = web.as(await openPerson(database.db, { balances: { USDC: 100_000_000n }, tier: 'standard' }));
  const limits = {
    tierId: 'standard',
    autoLimit30d: '100',
    secondApproval: '100',
    hardLimit24h: null,
    newAddressAuto: null,
    velocityMax: 5,
  };
  const narrow = { ...limits, autoLimit24h: '1.49999999' };
  expect((await olga.mutate('operator.terms.setTier', narrow)).refusal?.code).toBe('step_up_required');
  const wide = { deed: 'set_tier', terms: { ...limits, autoLimit24h: '1000000' } } as const;
  expect((await olga.confirm('operator.terms.setTier', narrow, wide)).refusal?.code).toBe('step_up_wrong');
  await setTier(narrow);
  expect(await outcome(alice, { asset: 'USDC', amount: '1' })).toBe('awaiting_approval');
  const terms = { customerId: alice.userId, tierId: 'institution' };
  expect((await olga.mutate('operator.terms.setCustomerTier', terms)).refusal?.code).toBe('step_up_required');
  const about = { deed: 'set_customer_tier', terms } as const;
  expect((await olga.confirm('operator.terms.setCustomerTier', terms, about)).data).toEqual({ kind: 'set' });
  expect(await outcome(alice, { asset: 'USDC', amount: '1' })).toBe('queued');
});

test('the quote says what the limits leave for a pair, and the accepting call agrees to the last unit', async () => {
  await setPrice({ asset: 'USDC', price: '1' });
  const limits = {
    autoLimit24h: '10',
    autoLimit30d: '1000',
    secondApproval: '1000',
    hardLimit24h: '25',
    velocityMax: 50,
  };
  await setTier({ ...limits, tierId: 'verified', newAddressAuto: '4' });
  const alice = web.as(await openPerson(database.db, { balances: { USDC: 100_000_000n }, tier: 'verified' }));
  const quoted = async () =>
    (await alice.query<Quote>('withdrawal.quote', { asset: 'USDC', network: 'ethereum' })).data.limit;
  const untouched = {
    currency: 'USD',
    left24h: '10',
    left30d: '1000',
    assetCapLeft: null,
    withoutApproval: '10',
    withoutApprovalToNewAddress: '4',
    refusedAbove: '25',
    reasons: [],
  };
  expect(await quoted()).toEqual(untouched);
  // The fee of half a coin counts as well: 3.5 and 0.5 are the 4 that go to a new address by themselves.
  const address = anAddress();
  expect(await outcome(alice, { asset: 'USDC', amount: '3.5', address })).toBe('queued');
  const after = { ...untouched, left24h: '6', left30d: '996', withoutApproval: '6', refusedAbove: '21' };
  expect(await quoted()).toEqual(after);
  expect(await outcome(alice, { asset: 'USDC', amount: '20.500001', address })).toBe('limit_exceeded');
  expect(await outcome(alice, { asset: 'USDC', amount: '5.5', address })).toBe('queued');
  expect(await quoted()).toMatchObject({ left24h: '0', withoutApproval: '0', reasons: ['limit_24h'] });
  expect(await outcome(alice, { asset: 'USDC', amount: '1.000001', address })).toBe('awaiting_approval');
});
