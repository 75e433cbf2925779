import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyChainHead } from '#server/chain/apply-chain-head.ts';
import { bookNetworkCosts } from '#server/chain/book-network-costs.ts';
import type { ChainPort } from '#server/chain/chain-port.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { markDeadTransactions } from '#server/chain/mark-dead-transactions.ts';
import { createSimulatedChainClient } from '#server/chain/simulated-chain-client.ts';
import { startSimulatedNetworks } from '#server/chain/test-support/simulated-networks.ts';
import { findDeposits } from '#server/deposits/find-deposits.ts';
import { issueDepositAddresses } from '#server/deposits/issue-deposit-addresses.ts';
import { payFromFaucet } from '#server/deposits/pay-from-faucet.ts';
import { pollTransfer } from '#server/withdrawals/poll-transfer.ts';
import { waitUntil } from '#stack/wait-until.ts';
import { startChainIndexerLoop } from '../../worker/loops/chain-indexer-loop.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';
import type { WorkerTools } from '../../worker/worker-tools.ts';

const PAIRS = [
  {
    asset: 'BTC',
    network: 'bitcoin',
    to: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    minor: 123_456n,
    text: '0.00123456',
  },
  { asset: 'USDT', network: 'tron', to: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', minor: 7_500_000n, text: '7.5' },
  {
    asset: 'SOL',
    network: 'solana',
    to: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
    minor: 1_000_000_001n,
    text: '1.000000001',
  },
  { asset: 'XRP', network: 'xrp', to: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', minor: 30_000_000n, text: '30' },
] as const;
const FAST: ReadonlySet<string> = new Set(['bitcoin', 'xrp']);
// Beyond the finality of each of them.
const DEEP = 40;

let simulator: Awaited<ReturnType<typeof startSimulatedNetworks>>;
let world: DispatchWorld;
let tools: WorkerTools;
beforeAll(async () => {
  [simulator, world] = await Promise.all([startSimulatedNetworks(), createDispatchWorld()]);
  tools = { ...world.tools, custody: simulator.connect({ timeoutMs: 10_000 }) };
  for (const { asset } of PAIRS) await fund(asset);
});
afterAll(async () => {
  tools.custody.close();
  await world.close();
  await simulator.stop();
});

it.each(PAIRS)(
  'a withdrawal of $asset on $network is confirmed block by block and completed at finality',
  async (pair) => {
    const { withdrawalId } = await send(pair);
    await simulator.mine(pair.network);
    await follow(pair.network);
    // Two are enough on some of them, and one was mined with it.
    const early = FAST.has(pair.network) ? 'completed' : 'broadcast';
    expect(await world.row(withdrawalId)).toMatchObject({ status: early });
    expect(Number((await world.row(withdrawalId)).confirmations)).toBeGreaterThan(0);
    await simulator.mine(pair.network, DEEP);
    await follow(pair.network);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'completed', wait_reason: null });
    expect(await kindsOf(withdrawalId)).toEqual(['hold', 'post']);
    // Its cost is nothing there, and is not asked for again.
    const [{ open } = { open: null }] = await world.rows(
      'select count(*)::int as open from withdrawal_transactions where withdrawal_id = $1 and cost_settled_at is null',
      [withdrawalId],
    );
    expect(open).toBe(0);
  },
);

it.each(PAIRS)('a deposit of $asset on $network is pending first, and credited once at finality', async (pair) => {
  const to = await addressOn(pair.network);
  await simulator.pay(pair.network, { asset: pair.asset, address: to.address, amount: pair.text, ...memoOf(to.memo) });
  await simulator.mine(pair.network);
  await follow(pair.network);
  const before = await depositsOf(pair.network);
  if (!FAST.has(pair.network)) expect(before.map(({ status }) => status)).toEqual(['pending']);
  await simulator.mine(pair.network, DEEP);
  await Promise.all([follow(pair.network), follow(pair.network)]);
  expect(await depositsOf(pair.network)).toMatchObject([{ status: 'credited', amount: pair.text, asset: pair.asset }]);
});

it('the demo’s faucet pays with the tag, and only a pair and a network that there are', async () => {
  const before = (await depositsOf('xrp')).length;
  const from = { customerId: world.customerId, chainRpcUrl: null, simulatedChainsUrl: simulator.url };
  expect(await payFromFaucet(world, { ...from, asset: 'XRP', network: 'xrp' })).toMatchObject({ amount: '50' });
  expect(await payFromFaucet(world, { ...from, asset: 'XRP', network: 'bitcoin' })).toBeNull();
  expect(await payFromFaucet(world, { ...from, asset: 'ETH', network: 'ethereum' })).toBeNull();
  await simulator.mine('xrp', 2);
  await follow('xrp');
  expect((await depositsOf('xrp')).length - before).toBe(1);
});

it('coins to the address that many share are theirs whose tag they carry, and without one nobody is credited', async () => {
  const { address, memo } = await addressOn('xrp');
  const before = (await depositsOf('xrp')).length;
  const pay = (tag: string | null) => simulator.pay('xrp', { asset: 'XRP', address, amount: '5', ...memoOf(tag) });
  await pay(null);
  await pay(String(Number(memo) + 7_000));
  await pay(memo);
  await simulator.mine('xrp', 3);
  await follow('xrp');
  expect((await depositsOf('xrp')).length - before).toBe(1);
});

it('an address in other letters is somebody else’s, for a deposit and for a withdrawal', async () => {
  const { address } = await addressOn('solana');
  const before = (await depositsOf('solana')).length;
  await simulator.pay('solana', { asset: 'SOL', address: otherCase(address), amount: '1' });
  const pair = { ...PAIRS[2], to: 'DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK', minor: 20_000_000n };
  const { withdrawalId, key } = await accept(pair);
  const { hash } = await simulator.pay('solana', { asset: 'SOL', address: otherCase(pair.to), amount: '0.02' });
  await world.rows(
    `insert into withdrawal_transactions (withdrawal_id, transaction_hash, source) values ($1, $2, 'webhook')`,
    [withdrawalId, hash],
  );
  await simulator.mine('solana', DEEP);
  await follow('solana');
  expect((await depositsOf('solana')).length).toBe(before);
  expect((await world.row(withdrawalId)).status).not.toBe('completed');
  expect(key).not.toBe('');
});

it.each([
  [false, 'is mined again and completed once'],
  [true, 'has no confirmation any more and stays on its way'],
])('after a reorg with drop %s a withdrawal %s, and so is what was deposited', async (drop) => {
  const pair = { ...PAIRS[1], minor: drop ? 8_100_000n : 8_200_000n };
  const before = (await depositsOf('tron')).length;
  const { address } = await addressOn('tron');
  await simulator.pay('tron', { asset: 'USDT', address, amount: '9' });
  const { withdrawalId } = await send(pair);
  await simulator.mine('tron', 3);
  await follow('tron');
  expect(Number((await world.row(withdrawalId)).confirmations)).toBeGreaterThan(1);
  expect((await depositsOf('tron')).length - before).toBe(1);
  await simulator.reorg('tron', 6, drop);
  await follow('tron');
  expect((await world.row(withdrawalId)).confirmations).toBe(drop ? 0 : 1);
  if (drop) {
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'broadcast' });
    expect((await depositsOf('tron')).length).toBe(before);
    return;
  }
  await simulator.mine('tron', DEEP);
  await follow('tron');
  expect(await kindsOf(withdrawalId)).toEqual(['hold', 'post']);
  expect((await depositsOf('tron')).filter(({ amount }) => amount === '9')).toMatchObject([{ status: 'credited' }]);
});

it('what was never included before its last ledger is dead once that is final, and not before', async () => {
  const { withdrawalId } = await send({ ...PAIRS[3], minor: 31_000_000n }, 'sim_reject');
  // In place of custody's word, which comes with its next look.
  await world.rows(`update withdrawals set wait_reason = 'custody_failed' where id = $1`, [withdrawalId]);
  await simulator.mine('xrp', 19);
  await follow('xrp');
  expect(await deadOf(withdrawalId)).toEqual([null]);
  await simulator.mine('xrp', 3);
  await follow('xrp');
  expect(await deadOf(withdrawalId)).toEqual(['expired']);
});

it('a transaction that the chain failed is dead at finality, and its hold comes back', async () => {
  const { withdrawalId } = await send({ ...PAIRS[1], minor: 11_000_000n }, 'revert_on_chain');
  await simulator.mine('tron', DEEP);
  await endAsFailed(withdrawalId, 'tron');
  expect(await deadOf(withdrawalId)).toEqual(['failed_in_final_block']);
});

it('what waited for people while nobody read its network is asked about again by its first reader', async () => {
  const other = await createDispatchWorld();
  try {
    const { withdrawalId } = await other.request();
    await processWithdrawal(other.tools, { withdrawalId });
    await other.rows(`update withdrawals set parked_at = now(), parked_reason = 'end_unproved' where id = $1`, [
      withdrawalId,
    ]);
    const chain: ChainPort = { ...portOf('xrp') };
    await indexBlocks({ db: other.db, chain }, { networkId: 'ethereum', limit: 1 });
    expect(await other.row(withdrawalId)).toMatchObject({ parked_at: null, parked_reason: null, status: 'submitted' });
  } finally {
    await other.close();
  }
});

it('a chain that stands still is asked less often and is not called silent; of one that should grow it is', async () => {
  const { number } = await portOf('tron').head();
  await follow('tron');
  const times = { ...tools.times, chainPollMs: 5 };
  for (const rests of [true, false]) {
    let asked = 0;
    const head = () => {
      asked += 1;
      return portOf('tron').head();
    };
    const loop = startChainIndexerLoop(
      { ...tools, times },
      { networkId: 'tron', port: { ...portOf('tron'), head }, rests },
    );
    const turnUntil = (turns: number) =>
      waitUntil(async () => asked > turns, { what: 'the loop does not turn', withinMs: 5_000 });
    // Reading the newest blocks once more at the start is a look too.
    await turnUntil(2);
    await world.rows(`update chain_cursors set updated_at = now() - interval '1 hour' where network_id = 'tron'`);
    await turnUntil(20);
    await loop.stop();
    const [row] = await world.rows(
      `select block_number, updated_at > now() - interval '1 minute' as fresh from chain_cursors where network_id = 'tron'`,
    );
    expect(row).toEqual({ block_number: String(number), fresh: rests });
  }
});

it('a network whose node is away holds up no other', async () => {
  const away = createSimulatedChainClient({ url: 'http://127.0.0.1:9', network: 'bitcoin', timeoutMs: 1_000 });
  const loops = [
    startChainIndexerLoop(tools, { networkId: 'bitcoin', port: away, rests: true }),
    startChainIndexerLoop(tools, { networkId: 'solana', port: portOf('solana'), rests: true }),
  ];
  try {
    await simulator.mine('solana', 2);
    const { number } = await portOf('solana').head();
    const isRead = async () => Number((await cursorOf('solana')) ?? 0) === number;
    await waitUntil(isRead, { what: 'the other network is not read', withinMs: 5_000 });
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()));
  }
});

interface Pair {
  readonly asset: string;
  readonly network: string;
  readonly to: string;
  readonly minor: bigint;
}

function portOf(network: string): ChainPort {
  return createSimulatedChainClient({ url: simulator.url, network, timeoutMs: 10_000 });
}

/** Turns as the loop does, until nothing is left to read. */
async function follow(networkId: string): Promise<void> {
  const reader = { db: world.db, chain: portOf(networkId) };
  for (;;) {
    const { number, isBehind } = await indexBlocks(reader, { networkId, limit: 250 });
    if (number !== null) await applyChainHead(world, { networkId, headNumber: number });
    if (isBehind) continue;
    if (number !== null) await markDeadTransactions(reader, { networkId, headNumber: number });
    if (number !== null) await bookNetworkCosts(reader, { networkId, headNumber: number });
    return;
  }
}

async function accept({ asset, network, to, minor }: Pair) {
  return await world.request({
    asset,
    network,
    address: to,
    amountMinor: minor,
    memo: network === 'xrp' ? '77' : null,
  });
}

/** As far as custody has put it on the network. */
async function send(pair: Pair, fault?: string) {
  const requested = await accept(pair);
  const { withdrawalId, key } = requested;
  if (fault !== undefined) await simulator.strike(fault, key);
  await processWithdrawal(tools, { withdrawalId });
  const isThere = async () => {
    await world.makeDue(withdrawalId);
    await pollTransfer(tools, { withdrawalId });
    return (await world.row(withdrawalId)).status === 'broadcast';
  };
  await waitUntil(isThere, { what: 'custody did not send it', withinMs: 10_000 });
  return requested;
}

async function endAsFailed(withdrawalId: string, network: string): Promise<void> {
  const isOver = async () => {
    await simulator.mine(network);
    await follow(network);
    await world.makeDue(withdrawalId);
    await pollTransfer(tools, { withdrawalId });
    return (await world.row(withdrawalId)).status === 'failed';
  };
  await waitUntil(isOver, { what: 'it did not fail', withinMs: 10_000 });
  expect(await kindsOf(withdrawalId)).toEqual(['hold', 'void']);
}

async function addressOn(network: string) {
  const addresses = await issueDepositAddresses(world, { customerId: world.customerId });
  const found = addresses.find(({ networkId }) => networkId === network);
  if (found === undefined) throw new Error('no address there');
  return found;
}

async function depositsOf(network: string) {
  const { items } = await findDeposits(world, { customerId: world.customerId, limit: 50 });
  return items.filter((one) => one.network === network);
}

async function kindsOf(withdrawalId: string) {
  const rows = await world.rows('select kind from ledger_transfers where source_id = $1 order by id', [withdrawalId]);
  return rows.map(({ kind }) => kind);
}

async function deadOf(withdrawalId: string) {
  const text = 'select dead_reason from withdrawal_transactions where withdrawal_id = $1';
  return (await world.rows(text, [withdrawalId])).map((row) => row.dead_reason);
}

async function cursorOf(network: string) {
  const [row] = await world.rows('select block_number from chain_cursors where network_id = $1', [network]);
  return row?.block_number;
}

async function fund(asset: string): Promise<void> {
  await world.rows(
    `with t as (insert into ledger_transfers (asset_id, kind, source_id) values ($2, 'opening', gen_random_uuid()) returning id)
     insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
     select t.id, 1, $2, ledger_house_account($2, 'custody_hot'), b.available_account_id, 1000000000000000
     from t, customer_balances b where b.customer_id = $1 and b.asset_id = $2`,
    [world.customerId, asset],
  );
}

function memoOf(memo: string | null): { memo?: string } {
  return memo === null ? {} : { memo };
}

function otherCase(address: string): string {
  return address.replace(/[a-hjkm-np-z]/, (letter) => letter.toUpperCase());
}
