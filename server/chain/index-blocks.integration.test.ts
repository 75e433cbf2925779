import { describe, expect, it } from 'vitest';
import type { ChainPort } from '#server/chain/chain-port.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { armFaultPoints } from '#server/fault-points.ts';
import { keepTransactionsSql } from '#server/sql/keep-transactions.sql.ts';
import { applyChainEvent } from '#server/withdrawals/apply-chain-event.ts';
import { cancelWithdrawal } from '#server/withdrawals/cancel-withdrawal.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { until } from '../../worker/test-support/dispatch-world.ts';
import {
  broadcast,
  DEPTH,
  ETHER,
  effects,
  follow,
  name,
  requestEther,
  someAddress,
  useIndexedChain,
} from './test-support/indexed-chain.ts';

const here = useIndexedChain();

describe('a payment on the chain', () => {
  it('is counted block by block, completes its withdrawal at finality and posts the hold once', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await here.node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await here.node.send(raw);
    for (let confirmations = 1; confirmations < DEPTH; confirmations += 1) {
      await here.node.mine();
      await follow();
      expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations });
    }
    await here.node.mine();
    await follow();
    await follow();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({
      status: 'completed',
      confirmations: DEPTH,
      transaction_hash: hash,
    });
    const booked = await here.world.rows('select kind from ledger_transfers where source_id = $1 order by id', [
      requested.withdrawalId,
    ]);
    expect(booked.map((row) => row.kind)).toEqual(['hold', 'post']);
  });

  it('is settled once, and opens no case, when two indexers reach its finality at the same moment', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await here.node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await here.node.send(raw);
    await here.node.mine(DEPTH);
    const { number } = await indexBlocks(
      { db: here.world.db, chain: here.chain },
      { networkId: 'ethereum', limit: 10 },
    );
    const [effect] = await effects();
    const event = { effectId: String(effect?.id), headNumber: number ?? 0, confirmations: DEPTH };
    const settle = () => here.world.db.transaction((tx) => applyChainEvent({ db: tx }, event));
    // The slower one begins while the faster has not committed: it reads the row from before, and waits for the effect.
    const slower = await here.world.db.transaction(async (tx) => {
      expect(await applyChainEvent({ db: tx }, event)).toEqual({ kind: 'completed' });
      const started = settle();
      await until('the slower one waits', async () => {
        const waiting = await here.world.rows(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return waiting.length > 0;
      });
      return { outcome: started };
    });
    expect(await slower.outcome).toEqual({ kind: 'same' });
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed', transaction_hash: hash });
    expect(await here.world.rows('select kind from cases')).toEqual([]);
  });

  it('opens a case also when custody names it after both the end of the withdrawal and the finality of the block', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await here.node.signPayment(to, ETHER);
    await cancelWithdrawal(here.world, { withdrawalId: requested.withdrawalId, customerId: here.world.customerId });
    await here.node.send(raw);
    await here.node.mine(DEPTH + 2);
    await follow();
    expect(await effects()).toMatchObject([{ state: 'final', withdrawal_id: null }]);
    await here.world.db.query(keepTransactionsSql, [requested.withdrawalId, [hash], [null], 'webhook']);
    await follow();
    expect(await here.world.rows('select kind from cases')).toEqual([{ kind: 'payment_after_end' }]);
  });

  it('completes the withdrawal also when custody names it long after the block was read', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await here.node.signPayment(to, ETHER);
    await processWithdrawal(here.world.tools, requested);
    await here.node.send(raw);
    await here.node.mine(5);
    await follow();
    await name(hash, requested);
    await follow();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed', transaction_hash: hash });
  });

  it('of another amount, or to another receiver, completes nothing', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await here.node.signPayment(to, ETHER - 1n);
    await broadcast(hash, requested);
    await here.node.send(raw);
    await here.node.mine(5);
    await follow();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations: 0 });
  });

  it('in tokens counts every log of its receipt: one transaction completes two withdrawals, and a second payment in it is no part of the first (EC97, IX01)', async () => {
    const [to, other] = [someAddress(), someAddress()];
    const { hash, raw, contract } = await here.node.signTokenTransfers([
      { to, amount: 5_000_000n },
      { to, amount: 5_000_000n },
      { to: other, amount: 5_000_000n },
    ]);
    await here.world.rows(`update asset_networks set contract = $1 where asset_id = 'USDC'`, [contract]);
    const requested = await here.world.request({ amountMinor: 5_000_000n, address: to });
    const batched = await here.world.request({ amountMinor: 5_000_000n, address: other });
    for (const one of [requested, batched]) await broadcast(hash, one);
    await here.node.send(raw);
    await here.node.mine(DEPTH);
    await follow();
    for (const { withdrawalId } of [requested, batched]) {
      expect(await here.world.row(withdrawalId)).toMatchObject({ status: 'completed', transaction_hash: hash });
    }
    const seen = (await effects()).filter((effect) => effect.transaction_hash === hash);
    expect(seen.map((effect) => effect.ordinal)).toEqual([1, 2, 3]);
    // The second payment of one withdrawal is a double, whoever made it.
    expect(await here.world.rows('select kind from cases')).toEqual([{ kind: 'paid_twice' }]);
    expect(await here.world.rows('select target from switches')).toEqual([{ target: 'USDC' }]);
  });

  it('by a contract that nobody watches is no effect (EC105)', async () => {
    const { raw } = await here.node.signTokenTransfers([{ to: someAddress(), amount: 1n }]);
    await here.node.send(raw);
    await here.node.mine();
    await follow();
    expect((await effects()).filter((effect) => effect.contract !== null)).toEqual([]);
  });
});

describe('two indexers', () => {
  it('and overlapping turns give each block and each effect once (EC93, EC104)', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { raw } = await here.node.signPayment(someAddress(), ETHER + BigInt(round));
      await here.node.send(raw);
      await here.node.mine(2);
    }
    await Promise.all([follow(), follow(), follow()]);
    const blocks = await here.world.rows(
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
    const { raw } = await here.node.signPayment(someAddress(), ETHER);
    await here.node.send(raw);
    await here.node.mine();
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
    await here.node.mine(2);
    const { hash, raw } = await here.node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await here.node.send(raw);
    await here.node.mine(2);
    await follow();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations: 2 });
    await here.node.rpc('anvil_reorg', [2, []]);
    await here.node.mine();
    await follow();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations: 0 });
    expect((await effects()).map((effect) => effect.state)).toEqual(['orphaned']);
    // Custody sends the same bytes again: the same effect in another block, and no second one.
    await here.node.send(raw).catch(() => undefined);
    await here.node.mine(DEPTH);
    await follow();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
    expect((await effects()).map((effect) => effect.state)).toEqual(['final']);
    const booked = await here.world.rows('select kind from ledger_transfers where source_id = $1 order by id', [
      requested.withdrawalId,
    ]);
    expect(booked.map((row) => row.kind)).toEqual(['hold', 'post']);
  });

  it('of what was final under a lower finality halts too: raising it takes back no booking, and hides none', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    await here.node.mine(2);
    const { hash, raw } = await here.node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await here.node.send(raw);
    await here.node.mine(DEPTH + 1);
    await follow();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
    await here.world.rows('update networks set confirmations_required = 12');
    await here.node.rpc('anvil_reorg', [DEPTH + 2, []]);
    await here.node.mine();
    await follow();
    const [cursor] = await here.world.rows('select halt_reason from chain_cursors');
    expect(cursor?.halt_reason).toMatch('below finality');
    expect((await effects()).map((effect) => effect.state)).toEqual(['final']);
    // The next test pays with the nonce after this one.
    await here.node.send(raw).catch(() => undefined);
    await here.node.mine();
  });

  it('deeper than finality halts the network and takes back nothing (EC99)', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    await here.node.mine(2);
    const { hash, raw } = await here.node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await here.node.send(raw);
    await here.node.mine(DEPTH + 1);
    await follow();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
    await here.node.rpc('anvil_reorg', [DEPTH + 2, []]);
    await here.node.mine();
    await follow();
    const [cursor] = await here.world.rows('select halted_at, halt_reason from chain_cursors');
    expect(cursor?.halted_at).not.toBeNull();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
    expect((await effects()).map((effect) => effect.state)).toEqual(['final']);
  });
});

describe('a node that goes back', () => {
  it('moves nothing', async () => {
    await here.node.mine(3);
    await follow();
    const before = await here.world.rows('select block_number, block_hash from chain_cursors');
    const lagging: ChainPort = {
      ...here.chain,
      head: async () => ({ ...(await here.chain.head()), number: Number(before[0]?.block_number) - 2 }),
    };
    await follow(lagging);
    expect(await here.world.rows('select block_number, block_hash from chain_cursors')).toEqual(before);
  });
});
