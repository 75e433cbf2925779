import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyChainHead } from '#server/chain/apply-chain-head.ts';
import type { ChainPort } from '#server/chain/chain-port.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { markDeadTransactions } from '#server/chain/mark-dead-transactions.ts';
import { armFaultPoints, disarmFaultPoints } from '#server/fault-points.ts';
import { keepTransactionsSql } from '#server/sql/keep-transactions.sql.ts';
import { applyCustodyEvent } from '#server/withdrawals/apply-custody-event.ts';
import { cancelWithdrawal } from '#server/withdrawals/cancel-withdrawal.ts';
import { pollTransfer } from '#server/withdrawals/poll-transfer.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld, until } from '../../worker/test-support/dispatch-world.ts';
import { type OwnChain, startOwnChain } from '../../worker/test-support/own-chain.ts';

const ETHER = 20_000_000_000_000_000n;
const DEPTH = 3;

let node: OwnChain;
let chain: ChainPort;
let world: DispatchWorld;
beforeAll(async () => {
  node = await startOwnChain();
  chain = createChainRpcClient({ url: node.url, timeoutMs: 10_000 });
});
afterAll(() => node.stop());
beforeEach(async () => {
  world = await createDispatchWorld();
  await world.rows('update networks set confirmations_required = $1', [DEPTH]);
  // Begins at the present head: what earlier tests left below is nobody's business here.
  const head = await chain.head();
  const header = await chain.header(head.number);
  await world.rows(
    'insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at) values ($1, $2, $3, $4, now())',
    ['ethereum', head.hash, head.number, header?.parentHash],
  );
  await world.rows('insert into chain_cursors (network_id, block_number, block_hash) values ($1, $2, $3)', [
    'ethereum',
    head.number,
    head.hash,
  ]);
});
afterEach(async () => {
  disarmFaultPoints();
  await world.close();
});

/** Turns as the loop does, until nothing is left to read. */
async function follow(port: ChainPort = chain): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    const result = await indexBlocks({ db: world.db, chain: port }, { networkId: 'ethereum', limit: 10 });
    if (result.number !== null)
      await applyChainHead({ db: world.db }, { networkId: 'ethereum', headNumber: result.number });
    if (!result.isBehind) return;
  }
  throw new Error('the indexer does not come to an end');
}

/** A withdrawal that custody has broadcast under this hash. */
async function broadcast(hash: string, requested: { withdrawalId: string; key: string }): Promise<void> {
  await processWithdrawal(world.tools, { withdrawalId: requested.withdrawalId });
  await name(hash, requested);
}

async function name(hash: string, { key }: { key: string }): Promise<void> {
  const shown = world.custody.transferOf(key);
  const transactions = [{ hash, nonce: 0n, status: 'broadcast' }];
  const transfer = { ...shown, createdAtMs: null, status: 'broadcast', transactions };
  const fact = { transfer, site: world.tools.custody.site, source: 'webhook', sourceId: 'e', attempt: null } as const;
  await world.db.transaction((tx) => applyCustodyEvent({ db: tx, times: world.tools.times }, fact));
}

const requestEther = async (address: string) => await world.request({ asset: 'ETH', amountMinor: ETHER, address });
const someAddress = () =>
  `0x${Array.from({ length: 40 }, () => '0123456789abcdef'[Math.floor(Math.random() * 16)]).join('')}`;
const effects = () => world.rows(`select * from chain_effects order by id`);

describe('a payment on the chain', () => {
  it('is counted block by block, completes its withdrawal at finality and posts the hold once', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await node.send(raw);
    for (let confirmations = 1; confirmations < DEPTH; confirmations += 1) {
      await node.mine();
      await follow();
      expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations });
    }
    await node.mine();
    await follow();
    await follow();
    expect(await world.row(requested.withdrawalId)).toMatchObject({
      status: 'completed',
      confirmations: DEPTH,
      transaction_hash: hash,
    });
    const booked = await world.rows('select kind from ledger_transfers where source_id = $1 order by id', [
      requested.withdrawalId,
    ]);
    expect(booked.map((row) => row.kind)).toEqual(['hold', 'post']);
  });

  it('is settled once, and opens no case, when two indexers reach its finality at the same moment', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await node.send(raw);
    await node.mine(DEPTH);
    const { number } = await indexBlocks({ db: world.db, chain }, { networkId: 'ethereum', limit: 10 });
    const reach = () => applyChainHead({ db: world.db }, { networkId: 'ethereum', headNumber: number ?? 0 });
    const both = await world.db.transaction(async (tx) => {
      // Both are inside before either can go on: one waits for the row, the other for the effect.
      await tx.query({ name: 'hold_row', text: 'select 1 from withdrawals where id = $1 for update' }, [
        requested.withdrawalId,
      ]);
      const started = [reach(), reach()];
      await until('two wait', async () => {
        const [waiting] = await world.rows(
          `select count(*)::int as sessions from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return Number(waiting?.sessions) >= 2;
      });
      return started;
    });
    await Promise.all(both);
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'completed', transaction_hash: hash });
    expect(await world.rows('select kind from cases')).toEqual([]);
  });

  it('opens a case also when custody names it after both the end of the withdrawal and the finality of the block', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await node.signPayment(to, ETHER);
    await cancelWithdrawal(world, { withdrawalId: requested.withdrawalId, customerId: world.customerId });
    await node.send(raw);
    await node.mine(DEPTH + 2);
    await follow();
    expect(await effects()).toMatchObject([{ state: 'final', withdrawal_id: null }]);
    await world.db.query(keepTransactionsSql, [requested.withdrawalId, [hash], [null], 'webhook']);
    await follow();
    expect(await world.rows('select kind from cases')).toEqual([{ kind: 'payment_after_end' }]);
  });

  it('completes the withdrawal also when custody names it long after the block was read', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await node.signPayment(to, ETHER);
    await processWithdrawal(world.tools, requested);
    await node.send(raw);
    await node.mine(5);
    await follow();
    await name(hash, requested);
    await follow();
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'completed', transaction_hash: hash });
  });

  it('of another amount, or to another receiver, completes nothing', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await node.signPayment(to, ETHER - 1n);
    await broadcast(hash, requested);
    await node.send(raw);
    await node.mine(5);
    await follow();
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations: 0 });
  });

  it('in tokens counts every log of its receipt: two equal transfers are two effects, and one of them completes (EC97)', async () => {
    const to = someAddress();
    const { hash, raw, contract } = await node.signTokenTransfers([
      { to, amount: 5_000_000n },
      { to, amount: 5_000_000n },
    ]);
    await world.rows(`update asset_networks set contract = $1 where asset_id = 'USDC'`, [contract]);
    const requested = await world.request({ amountMinor: 5_000_000n, address: to });
    await broadcast(hash, requested);
    await node.send(raw);
    await node.mine(DEPTH);
    await follow();
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
    const seen = (await effects()).filter((effect) => effect.transaction_hash === hash);
    expect(seen.map((effect) => effect.ordinal)).toEqual([1, 2]);
    // The second payment of one withdrawal is a double, whoever made it.
    expect(await world.rows('select kind from cases')).toEqual([{ kind: 'paid_twice' }]);
    expect(await world.rows('select target from switches')).toEqual([{ target: 'USDC' }]);
  });

  it('by a contract that nobody watches is no effect (EC105)', async () => {
    const { raw } = await node.signTokenTransfers([{ to: someAddress(), amount: 1n }]);
    await node.send(raw);
    await node.mine();
    await follow();
    expect((await effects()).filter((effect) => effect.contract !== null)).toEqual([]);
  });
});

describe('a transfer that custody has given up', () => {
  const giveUp = async ({ withdrawalId, key }: { withdrawalId: string; key: string }, hash: string) => {
    const transfer = world.custody.transferOf(key);
    transfer.status = 'failed';
    transfer.final = true;
    transfer.failureCode = 'reverted';
    transfer.transactions = [{ hash, nonce: 0, status: 'failed', signedAt: '' }];
    await world.makeDue(withdrawalId);
    return await pollTransfer(world.tools, { withdrawalId });
  };
  const look = async () => {
    await follow();
    const head = await chain.head();
    return await markDeadTransactions({ db: world.db, chain }, { networkId: 'ethereum', headNumber: head.number });
  };

  it('keeps its hold while a transaction of it may still come: not seen is not dead', async () => {
    const requested = await requestEther(someAddress());
    const { hash } = await node.signPayment(someAddress(), ETHER);
    await broadcast(hash, requested);
    await giveUp(requested, hash);
    await node.mine(DEPTH + 2);
    expect(await look()).toEqual({ dead: 0 });
    expect(await world.row(requested.withdrawalId)).toMatchObject({
      status: 'broadcast',
      wait_reason: 'custody_failed',
    });
    node.forget();
  });

  it('fails when a final block shows that its transaction failed, and the hold comes back once', async () => {
    const requested = await requestEther(someAddress());
    const { hash, raw } = await node.signFailing();
    await broadcast(hash, requested);
    await node.send(raw);
    await node.mine();
    await giveUp(requested, hash);
    expect(await look()).toEqual({ dead: 0 });
    await node.mine(DEPTH);
    expect(await look()).toEqual({ dead: 1 });
    await pollTransfer(world.tools, requested);
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'failed', failure_code: 'reverted' });
    const booked = await world.rows('select kind from ledger_transfers where source_id = $1 order by id', [
      requested.withdrawalId,
    ]);
    expect(booked.map((row) => row.kind)).toEqual(['hold', 'void']);
  });

  it('and is paid all the same completes: the chain is the better witness (EC70)', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await giveUp(requested, hash);
    await node.send(raw);
    await node.mine(DEPTH);
    await look();
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
  });
});

describe('a transaction that custody named and that does not pay', () => {
  const TOKENS = 5_000_000n;
  const look = async () => {
    await follow();
    const { number } = await chain.head();
    await markDeadTransactions({ db: world.db, chain }, { networkId: 'ethereum', headNumber: number });
    await markDeadTransactions({ db: world.db, chain }, { networkId: 'ethereum', headNumber: number });
    return await world.rows('select kind, evidence from cases');
  };
  const paused = async () => (await world.rows('select target from switches')).map((row) => row.target);

  it.each([
    ['keeps a fee of what it moves', (to: string) => ({ to, amount: TOKENS - 50_000n }), true],
    ['goes to somebody else', () => ({ to: someAddress(), amount: TOKENS }), true],
    ['is of a fake token of the same name', (to: string) => ({ to, amount: TOKENS }), false],
  ] as const)(
    'because it %s is a case with its evidence, and completes nothing (IX07, EC105)',
    async (_, paidTo, isOurs) => {
      const to = someAddress();
      const { hash, raw, contract } = await node.signTokenTransfers([paidTo(to)]);
      const watched = isOurs ? contract : someAddress();
      await world.rows(`update asset_networks set contract = $1 where asset_id = 'USDC'`, [watched]);
      const requested = await world.request({ amountMinor: TOKENS, address: to });
      await broadcast(hash, requested);
      await node.send(raw);
      await node.mine(DEPTH - 1);
      await world.advanceClock(11 * 60_000);
      expect(await look()).toEqual([]);
      await node.mine();
      const evidence = { transactionHash: hash, effects: isOurs ? [{ contract, ordinal: 1 }] : [] };
      expect(await look()).toMatchObject([{ kind: 'paid_otherwise', evidence }]);
      expect(await paused()).toEqual(['USDC']);
      expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations: 0 });
    },
  );

  it('because it failed, while custody has not said so, is dead and a case, and the hold stays (IX06)', async () => {
    const requested = await requestEther(someAddress());
    const { hash, raw } = await node.signFailing();
    await broadcast(hash, requested);
    await node.send(raw);
    await node.mine(DEPTH);
    expect(await look()).toEqual([]);
    await world.advanceClock(11 * 60_000);
    expect(await look()).toMatchObject([{ kind: 'payment_reverted', evidence: { transactionHash: hash } }]);
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast' });
    const booked = await world.rows('select kind from ledger_transfers where source_id = $1', [requested.withdrawalId]);
    expect(booked).toEqual([{ kind: 'hold' }]);
  });

  it('because it pays another withdrawal of the same amount completes the one that it pays and no second one (IX09)', async () => {
    const to = someAddress();
    const first = await requestEther(to);
    // Long after it, so that the second is no look-alike.
    await world.advanceClock(11 * 60_000);
    const second = await requestEther(to);
    const { hash, raw } = await node.signPayment(to, ETHER);
    await broadcast(hash, first);
    await broadcast(hash, second);
    await node.send(raw);
    await node.mine(DEPTH);
    await world.advanceClock(11 * 60_000);
    const cases = await look();
    const statuses = [(await world.row(first.withdrawalId)).status, (await world.row(second.withdrawalId)).status];
    expect(statuses.sort()).toEqual(['broadcast', 'completed']);
    expect(cases).toMatchObject([{ kind: 'paid_otherwise', evidence: { transactionHash: hash } }]);
  });

  it('because another spent its nonce is told from it by every hash that custody names (EC107)', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const replaced = await node.signPayment(to, ETHER);
    await broadcast(replaced.hash, requested);
    node.forget();
    // The same nonce and another fee: what custody calls a replacement.
    const { hash, raw } = await node.signPayment(to, ETHER, 2n);
    await name(hash, requested);
    await node.send(raw);
    await node.mine(DEPTH);
    expect(await look()).toEqual([]);
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'completed', transaction_hash: hash });
  });
});

describe('two indexers', () => {
  it('and overlapping turns give each block and each effect once (EC93, EC104)', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { raw } = await node.signPayment(someAddress(), ETHER + BigInt(round));
      await node.send(raw);
      await node.mine(2);
    }
    await Promise.all([follow(), follow(), follow()]);
    const blocks = await world.rows(
      'select block_number, count(*)::integer as n from chain_blocks where canonical group by 1',
    );
    expect(blocks.every((block) => block.n === 1)).toBe(true);
    expect(blocks).toHaveLength(9);
    const seen = await effects();
    expect(seen).toHaveLength(4);
  });
});

describe('a crash', () => {
  it('between a block and the cursor leaves neither, and the next turn writes both (EC100)', async () => {
    const { raw } = await node.signPayment(someAddress(), ETHER);
    await node.send(raw);
    await node.mine();
    armFaultPoints({ text: 'I2:throw@1', file: null, allowed: true });
    await expect(follow()).rejects.toThrow('fault point I2');
    expect(await effects()).toEqual([]);
    await follow();
    expect(await effects()).toHaveLength(1);
  });
});

describe('a reorg', () => {
  it('that drops a payment takes its confirmations and not its status, and books nothing (EC94)', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    await node.mine(2);
    const { hash, raw } = await node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await node.send(raw);
    await node.mine(2);
    await follow();
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations: 2 });
    await node.rpc('anvil_reorg', [2, []]);
    await node.mine();
    await follow();
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations: 0 });
    expect((await effects()).map((effect) => effect.state)).toEqual(['orphaned']);
    // Custody sends the same bytes again: the same effect in another block, and no second one.
    await node.send(raw).catch(() => undefined);
    await node.mine(DEPTH);
    await follow();
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
    expect((await effects()).map((effect) => effect.state)).toEqual(['final']);
    const booked = await world.rows('select kind from ledger_transfers where source_id = $1 order by id', [
      requested.withdrawalId,
    ]);
    expect(booked.map((row) => row.kind)).toEqual(['hold', 'post']);
  });

  it('deeper than finality halts the network and takes back nothing (EC99)', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    await node.mine(2);
    const { hash, raw } = await node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await node.send(raw);
    await node.mine(DEPTH + 1);
    await follow();
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
    await node.rpc('anvil_reorg', [DEPTH + 2, []]);
    await node.mine();
    await follow();
    const [cursor] = await world.rows('select halted_at, halt_reason from chain_cursors');
    expect(cursor?.halted_at).not.toBeNull();
    expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
    expect((await effects()).map((effect) => effect.state)).toEqual(['final']);
  });
});

describe('a node that goes back', () => {
  it('moves nothing', async () => {
    await node.mine(3);
    await follow();
    const before = await world.rows('select block_number, block_hash from chain_cursors');
    const lagging: ChainPort = {
      ...chain,
      head: async () => ({ ...(await chain.head()), number: Number(before[0]?.block_number) - 2 }),
    };
    await follow(lagging);
    expect(await world.rows('select block_number, block_hash from chain_cursors')).toEqual(before);
  });
});
