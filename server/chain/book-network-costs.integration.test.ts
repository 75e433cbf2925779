import { expect, it } from 'vitest';
import { bookNetworkCosts } from '#server/chain/book-network-costs.ts';
import { ChainAnswerRefused } from '#server/chain/chain-port.ts';
import {
  broadcast,
  DEPTH,
  ETHER,
  follow,
  requestEther,
  someAddress,
  useIndexedChain,
} from './test-support/indexed-chain.ts';

const here = useIndexedChain();

const keepWallet = async (hash: string) => {
  // A token without a contract would pass for the network's coin.
  await here.world.rows(
    `update asset_networks set contract = '0x' || asset_id where network_id = 'ethereum' and asset_id <> 'ETH'`,
  );
  const { from } = await here.node.rpc<{ from: string }>('eth_getTransactionByHash', [hash]);
  await here.world.rows(
    `insert into own_addresses (network_id, address, kind) values ('ethereum', upper($1), 'hot_wallet') on conflict do nothing`,
    [from],
  );
};
const look = async (port = here.chain, headNumber?: number) => {
  const number = headNumber ?? (await here.chain.head()).number;
  const { booked } = await bookNetworkCosts(
    { db: here.world.db, chain: port },
    { networkId: 'ethereum', headNumber: number },
  );
  // Each is looked at once a minute.
  await here.world.rows('update withdrawal_transactions set cost_looked_at = null');
  return booked;
};
const costOf = async (hash: string) => {
  const receipt = await here.node.rpc<{ gasUsed: string; effectiveGasPrice: string }>('eth_getTransactionReceipt', [
    hash,
  ]);
  return (BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)).toString();
};
const hotMinor = async () => {
  const [row] = await here.world.rows(
    `select (s.debits_minor - s.credits_minor)::text as minor from ledger_account_sums() s where s.account_id = ledger_house_account('ETH', 'custody_hot')`,
  );
  return BigInt(String(row?.minor));
};

/** A payment that stands in a final block. */
const payFinally = async () => {
  const to = someAddress();
  const requested = await requestEther(to);
  const { hash, raw } = await here.node.signPayment(to, ETHER);
  await broadcast(hash, requested);
  await here.node.send(raw);
  await here.node.mine(DEPTH + 1);
  await follow();
  await keepWallet(hash);
  return { requested, hash };
};

it('what a final payment cost leaves the hot wallet in the books as it did on the chain, once a hash', async () => {
  const to = someAddress();
  const requested = await requestEther(to);
  const { hash, raw } = await here.node.signPayment(to, ETHER);
  await broadcast(hash, requested);
  await here.node.send(raw);
  await here.node.mine();
  await follow();
  await keepWallet(hash);
  expect(await look()).toBe(0);
  await here.node.mine(DEPTH);
  await follow();
  const before = await hotMinor();
  // A receipt of a block that is not in our index books nothing.
  const lying = async (asked: string) => {
    const told = await here.chain.cost(asked);
    return told && { ...told, blockHash: `0x${'ab'.repeat(32)}`, minor: 1n };
  };
  expect(await look({ ...here.chain, cost: lying })).toBe(0);
  expect(await look()).toBe(1);
  expect(await look()).toBe(0);
  const cost = await costOf(hash);
  expect(await hotMinor()).toBe(before - BigInt(cost));
  const booked = await here.world.rows(`
    select k.transaction_hash as hash, e.amount_minor as minor, d.kind as debit, c.kind as credit
    from network_costs k join ledger_transfers t on t.source_id = k.id join ledger_entries e on e.transfer_id = t.id
    join ledger_accounts d on d.id = e.debit_account_id join ledger_accounts c on c.id = e.credit_account_id`);
  expect(booked).toEqual([{ hash, minor: cost, debit: 'network_costs', credit: 'custody_hot' }]);
});

it('a transaction that failed cost as much, and one that was replaced cost nothing', async () => {
  const requested = await requestEther(someAddress());
  const { hash, raw } = await here.node.signFailing();
  await broadcast(hash, requested);
  await here.node.send(raw);
  await here.node.mine(DEPTH + 1);
  await follow();
  await keepWallet(hash);
  await here.world.rows(
    `
    update withdrawal_transactions set dead_at = protocol_now(), dead_reason = 'failed_in_final_block' where transaction_hash = $1`,
    [hash],
  );
  expect(await look()).toBe(1);
  const [booked] = await here.world.rows('select amount_minor as minor, succeeded from network_costs');
  expect(booked).toEqual({ minor: await costOf(hash), succeeded: false });
  const replaced = `0x${'cd'.repeat(32)}`;
  await here.world.rows(
    `insert into withdrawal_transactions (withdrawal_id, transaction_hash, source, dead_at, dead_reason) values ($1, $2, 'look_up', protocol_now(), 'replaced')`,
    [requested.withdrawalId, replaced],
  );
  expect(await look()).toBe(0);
  const open = await here.world.rows(
    'select transaction_hash as hash from withdrawal_transactions where cost_settled_at is null',
  );
  expect(open).toEqual([{ hash: replaced }]);
});

it('a cost whose receipt was seen is not given up while its block is not final, and one that no node ever showed is', async () => {
  const { requested, hash } = await payFinally();
  expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
  const never = `0x${'ef'.repeat(32)}`;
  await here.world.rows(
    `insert into withdrawal_transactions (withdrawal_id, transaction_hash, source) values ($1, $2, 'look_up')`,
    [requested.withdrawalId, never],
  );
  await here.world.advanceClock(2 * 3_600_000);
  const open = async () =>
    (
      await here.world.rows(
        'select transaction_hash as hash from withdrawal_transactions where cost_settled_at is null and withdrawal_id = $1',
        [requested.withdrawalId],
      )
    ).map((row) => row.hash);
  // As where the blocks of a network are read again, from far below.
  const cost = await here.chain.cost(hash);
  expect(await look(here.chain, (cost?.blockNumber ?? 0) - 1)).toBe(0);
  expect(await open()).toEqual([hash]);
  expect(await look({ ...here.chain, cost: async () => null })).toBe(0);
  expect(await open()).toEqual([hash]);
  expect(await look()).toBe(1);
  expect(await open()).toEqual([]);
});

it('a cost that is refused is asked for again, and for a day', async () => {
  await payFinally();
  let asked = 0;
  const refuse = async () => {
    asked += 1;
    throw new ChainAnswerRefused('said by the test');
  };
  const lookAfter = async (hours: number) => {
    await here.world.advanceClock(hours * 3_600_000);
    expect(await look({ ...here.chain, cost: refuse })).toBe(0);
  };
  await lookAfter(1);
  await lookAfter(22);
  expect(asked).toBe(2);
  await lookAfter(2);
  await lookAfter(1);
  expect(asked, 'given up a day after the withdrawal ended').toBe(3);
  expect(await look()).toBe(0);
});
