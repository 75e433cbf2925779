import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseAddress } from '#domain/address.ts';
import { NETWORK_FAMILIES } from '#domain/asset.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { rereadOverlap } from '#server/chain/reread-overlap.ts';
import { coinPayment, FAKE_TOKEN, FakeChain, tokenPayment } from '#server/chain/test-support/fake-chain.ts';
import { followChain } from '#server/chain/test-support/fake-networks.ts';
import { findDeposits } from '#server/deposits/find-deposits.ts';
import { issueDepositAddresses } from '#server/deposits/issue-deposit-addresses.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
let node: FakeChain;
let to: string;
beforeEach(async () => {
  world = await createDispatchWorld({ contract: FAKE_TOKEN });
  // The second token is on no chain here, and must not pass for the network's coin.
  await world.rows(`delete from asset_networks where asset_id = 'USDT' and network_id = 'ethereum'`);
  // In place of an operator with a second factor.
  await world.rows('alter table networks disable trigger networks_fewer_confirmed');
  await world.rows('update networks set confirmations_required = 3');
  node = new FakeChain();
  await node.start();
  await follow();
  const addresses = await issueDepositAddresses(world, { customerId: world.customerId });
  to = addresses.find((one) => one.networkId === 'ethereum')?.address.toLowerCase() ?? '';
});
afterEach(async () => {
  await node.stop();
  await world.close();
});

const follow = () =>
  followChain({ db: world.db, chain: createChainRpcClient({ url: node.url, timeoutMs: 10_000 }) }, 'ethereum');
const list = async () => (await findDeposits(world, { customerId: world.customerId, limit: 50 })).items;
const booked = () =>
  world.rows(
    `select t.asset_id, e.amount_minor from ledger_transfers t join ledger_entries e on e.transfer_id = t.id where t.kind = 'deposit' order by e.amount_minor desc`,
  );

it('a customer has one address a network for ever, and nobody withdraws to it', async () => {
  const [first, again] = await Promise.all([
    issueDepositAddresses(world, { customerId: world.customerId }),
    issueDepositAddresses(world, { customerId: world.customerId }),
  ]);
  expect(again).toEqual(first);
  expect(first.map((one) => one.networkId).sort()).toEqual(['bitcoin', 'ethereum', 'solana', 'tron', 'xrp']);
  // Each is one that its network takes.
  const networks = await world.rows('select id, family from networks');
  for (const { networkId, address } of first) {
    const family = NETWORK_FAMILIES.find((one) => one === networks.find(({ id }) => id === networkId)?.family) ?? 'evm';
    expect(parseAddress(family, address).kind, networkId).toBe('ok');
  }
  const own = first.find((one) => one.networkId === 'ethereum')?.address ?? '';
  await expect(world.request({ address: own })).rejects.toThrow('address_own_deposit');
});

it('a deposit is pending from its block on, and credited once at finality, coin and token alike', async () => {
  node.mine([tokenPayment('in', to, [5_000_000n], 2), coinPayment('coin', to, 7n)]);
  await follow();
  expect(await list()).toMatchObject([{ status: 'pending', confirmations: 1 }, { status: 'pending' }]);
  expect(await booked()).toEqual([]);
  node.mine();
  node.mine();
  await Promise.all([follow(), follow(), follow()]);
  node.mine();
  await follow();
  expect(await booked()).toEqual([
    { asset_id: 'USDC', amount_minor: '5000000' },
    { asset_id: 'ETH', amount_minor: '7' },
  ]);
  expect((await list()).map((one) => one.status)).toEqual(['credited', 'credited']);
});

it('finality is raised at once, and lowered only for blocks to come', async () => {
  node.mine([coinPayment('first', to, 7n)]);
  await follow();
  await world.rows('update networks set confirmations_required = 5');
  node.mine();
  node.mine();
  await follow();
  expect(await list()).toMatchObject([{ status: 'pending', confirmations: 3, confirmationsRequired: 5 }]);

  await world.rows('update networks set confirmations_required = 4');
  await world.rows('update networks set confirmations_required = 2');
  node.mine([coinPayment('second', to, 9n)]);
  await follow();
  const shown = await issueDepositAddresses(world, { customerId: world.customerId });
  expect(shown.find((one) => one.networkId === 'ethereum')?.confirmationsRequired).toBe(5);
  expect(shown.find((one) => one.networkId === 'bitcoin')?.confirmationsRequired).toBe(2);
  // Four for the first, which stood before: still one too few. And nothing after it is final before it is.
  expect(await list()).toMatchObject([
    { status: 'pending', confirmations: 1 },
    { status: 'pending', confirmations: 4, confirmationsRequired: 5 },
  ]);
  // The last block that stood at the lowering is one of five at head + 4; from then on two are enough.
  for (let block = 0; block < 2; block += 1) node.mine();
  await follow();
  expect((await booked()).map((row) => row.amount_minor)).toEqual(['7']);
  node.mine();
  await follow();
  expect((await booked()).map((row) => row.amount_minor)).toEqual(['9', '7']);
});

it('what reverted, is worth nothing, is of a foreign token, or goes to somebody else is no deposit (EC105)', async () => {
  const forged = tokenPayment('forged', to, [9n]);
  node.mine([
    coinPayment('reverted', to, 8n, false),
    tokenPayment('nothing', to, [0n]),
    { ...forged, logs: forged.logs.map((log) => ({ ...log, address: `0x${'ee'.repeat(20)}` })) },
    coinPayment('elsewhere', `0x${'ab'.repeat(20)}`, 9n),
  ]);
  for (let block = 0; block < 4; block += 1) node.mine();
  await follow();
  expect(await list()).toEqual([]);
  expect(await booked()).toEqual([]);
});

it('a reorg before finality takes the pending deposit away, and its return brings it back, booked once', async () => {
  const payment = tokenPayment('in', to, [5_000_000n, 1_000_000n]);
  node.mine([payment]);
  await follow();
  node.blocks = node.blocks.slice(0, -1);
  node.mine();
  node.mine();
  await follow();
  expect(await list()).toEqual([]);
  node.mine([payment]);
  node.mine();
  node.mine();
  await follow();
  expect((await booked()).map((row) => row.amount_minor)).toEqual(['5000000', '1000000']);
});

it('a deposit in a block that was mined again after its number had been credited is credited too', async () => {
  for (let block = 0; block < 8; block += 1) node.mine();
  await follow();
  // Raised since, the finality lets a deeper reorg through than the one under which the blocks were credited.
  await world.rows('update networks set confirmations_required = 10');
  node.blocks = node.blocks.slice(0, -6);
  node.mine([coinPayment('late', to, 7n)]);
  for (let block = 0; block < 12; block += 1) node.mine();
  await follow();
  await follow();
  expect((await booked()).map((row) => row.amount_minor)).toEqual(['7']);
});

it('a deposit whose effect our copy had lost is credited once the overlap has found it again', async () => {
  node.mine([coinPayment('lost', to, 7n), coinPayment('kept', to, 9n)]);
  await follow();
  await world.rows('delete from chain_effects where amount_minor = 7');
  for (let block = 0; block < 4; block += 1) node.mine();
  await follow();
  expect((await booked()).map((row) => row.amount_minor)).toEqual(['9']);
  const chain = createChainRpcClient({ url: node.url, timeoutMs: 10_000 });
  expect(await rereadOverlap({ db: world.db, chain }, { networkId: 'ethereum' })).toMatchObject({ kind: 'mended' });
  node.mine();
  await follow();
  expect((await booked()).map((row) => row.amount_minor)).toEqual(['9', '7']);
});

it('EC99, EC106: a credited deposit that a deeper reorg took away is a case and a frozen account, and nothing is booked back by a machine', async () => {
  node.mine([tokenPayment('in', to, [5_000_000n]), coinPayment('stays', to, 7n)]);
  for (let block = 0; block < 3; block += 1) node.mine();
  await follow();
  expect(await booked()).toHaveLength(2);
  // Most of it is spent already: taking all of it back would make the balance negative.
  await spendAllBut(2_000_000n);
  const before = await world.rows('select asset_id, available_minor, held_minor from customer_balances order by 1');
  const [genesis] = node.blocks;
  node.blocks = genesis === undefined ? [] : [genesis];
  node.mine([coinPayment('stays', to, 7n)]);
  for (let block = 0; block < 5; block += 1) node.mine();
  await follow();
  const [halted] = await world.rows('select halt_reason from chain_cursors');
  expect(halted?.halt_reason).toContain('below finality');
  expect(await world.rows('select kind, evidence from cases')).toMatchObject([
    {
      kind: 'deposit_vanished',
      evidence: { asset: 'USDC', amountMinor: '5000000', fromAvailableMinor: '2000000', asReceivableMinor: '3000000' },
    },
  ]);
  expect(
    await world.rows('select payouts_stopped_reason as reason from customers where id = $1', [world.customerId]),
  ).toEqual([{ reason: 'deposit_vanished' }]);
  // The loop goes on turning, and every further turn changes nothing.
  await follow();
  expect(await world.rows('select asset_id, available_minor, held_minor from customer_balances order by 1')).toEqual(
    before,
  );
  expect(await booked()).toHaveLength(2);
});

async function spendAllBut(leftMinor: bigint): Promise<void> {
  const [row] = await world.rows(
    `select b.available_minor - n.fee_minor as most from customer_balances b join asset_networks n on n.asset_id = b.asset_id and n.network_id = 'ethereum'
     where b.asset_id = 'USDC' and b.customer_id = $1`,
    [world.customerId],
  );
  await world.request({ amountMinor: BigInt(String(row?.most)) - leftMinor });
}
