import { describe, expect, it } from 'vitest';
import { markDeadTransactions } from '#server/chain/mark-dead-transactions.ts';
import { pollTransfer } from '#server/withdrawals/poll-transfer.ts';
import {
  broadcast,
  DEPTH,
  ETHER,
  follow,
  name,
  requestEther,
  someAddress,
  useIndexedChain,
} from './test-support/indexed-chain.ts';

const here = useIndexedChain();

describe('a transfer that custody has given up', () => {
  const giveUp = async ({ withdrawalId, key }: { withdrawalId: string; key: string }, hash: string) => {
    const transfer = here.world.custody.transferOf(key);
    transfer.status = 'failed';
    transfer.final = true;
    transfer.failureCode = 'reverted';
    transfer.transactions = [{ hash, nonce: 0, status: 'failed', signedAt: '' }];
    await here.world.makeDue(withdrawalId);
    return await pollTransfer(here.world.tools, { withdrawalId });
  };
  const look = async () => {
    await follow();
    const head = await here.chain.head();
    return await markDeadTransactions(
      { db: here.world.db, chain: here.chain },
      { networkId: 'ethereum', headNumber: head.number },
    );
  };

  it('keeps its hold while a transaction of it may still come: not seen is not dead (EC69)', async () => {
    const requested = await requestEther(someAddress());
    const { hash } = await here.node.signPayment(someAddress(), ETHER);
    await broadcast(hash, requested);
    await giveUp(requested, hash);
    await here.node.mine(DEPTH + 2);
    expect(await look()).toEqual({ dead: 0 });
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({
      status: 'broadcast',
      wait_reason: 'custody_failed',
    });
    here.node.forget();
  });

  it('is not dead by the word of a node that has fallen behind what we have read ourselves', async () => {
    const requested = await requestEther(someAddress());
    const { hash, raw } = await here.node.signPayment(someAddress(), ETHER);
    await broadcast(hash, requested);
    await here.node.send(raw);
    await here.node.mine(DEPTH + 2);
    await giveUp(requested, hash);
    await follow();
    const { number } = await here.chain.head();
    const behind = {
      ...here.chain,
      transaction: async () => ({ receipt: null, signed: { from: someAddress(), nonce: 0 }, lastValidNumber: 1 }),
      spentNonces: async () => 9,
    };
    const input = { networkId: 'ethereum', headNumber: number };
    expect(await markDeadTransactions({ db: here.world.db, chain: behind }, input)).toEqual({ dead: 0 });
  });

  it('fails when a final block shows that its transaction failed, and the hold comes back once (EC69)', async () => {
    const requested = await requestEther(someAddress());
    const { hash, raw } = await here.node.signFailing();
    await broadcast(hash, requested);
    await here.node.send(raw);
    await here.node.mine();
    await giveUp(requested, hash);
    expect(await look()).toEqual({ dead: 0 });
    await here.node.mine(DEPTH);
    expect(await look()).toEqual({ dead: 1 });
    await pollTransfer(here.world.tools, requested);
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'failed', failure_code: 'reverted' });
    const booked = await here.world.rows('select kind from ledger_transfers where source_id = $1 order by id', [
      requested.withdrawalId,
    ]);
    expect(booked.map((row) => row.kind)).toEqual(['hold', 'void']);
  });

  it('and is paid all the same completes: the chain is the better witness (EC70)', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const { hash, raw } = await here.node.signPayment(to, ETHER);
    await broadcast(hash, requested);
    await giveUp(requested, hash);
    await here.node.send(raw);
    await here.node.mine(DEPTH);
    await look();
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
  });
});

describe('a transaction that custody named and that does not pay', () => {
  const TOKENS = 5_000_000n;
  const look = async () => {
    await follow();
    const { number } = await here.chain.head();
    await markDeadTransactions({ db: here.world.db, chain: here.chain }, { networkId: 'ethereum', headNumber: number });
    await markDeadTransactions({ db: here.world.db, chain: here.chain }, { networkId: 'ethereum', headNumber: number });
    return await here.world.rows('select kind, evidence from cases');
  };
  const paused = async () => (await here.world.rows('select target from switches')).map((row) => row.target);

  it.each([
    ['keeps a fee of what it moves', (to: string) => ({ to, amount: TOKENS - 50_000n }), true],
    ['goes to somebody else', () => ({ to: someAddress(), amount: TOKENS }), true],
    ['is of a fake token of the same name', (to: string) => ({ to, amount: TOKENS }), false],
  ] as const)(
    'because it %s is a case with its evidence, and completes nothing (IX07, EC105)',
    async (_, paidTo, isOurs) => {
      const to = someAddress();
      const { hash, raw, contract } = await here.node.signTokenTransfers([paidTo(to)]);
      const watched = isOurs ? contract : someAddress();
      await here.world.rows(`update asset_networks set contract = $1 where asset_id = 'USDC'`, [watched]);
      const requested = await here.world.request({ amountMinor: TOKENS, address: to });
      await broadcast(hash, requested);
      await here.node.send(raw);
      await here.node.mine(DEPTH - 1);
      await here.world.advanceClock(11 * 60_000);
      expect(await look()).toEqual([]);
      await here.node.mine();
      const evidence = { transactionHash: hash, effects: isOurs ? [{ contract, ordinal: 1 }] : [] };
      expect(await look()).toMatchObject([{ kind: 'paid_otherwise', evidence }]);
      expect(await paused()).toEqual(['USDC']);
      expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast', confirmations: 0 });
    },
  );

  it('because it failed, while custody has not said so, is dead and a case, and the hold stays (IX06)', async () => {
    const requested = await requestEther(someAddress());
    const { hash, raw } = await here.node.signFailing();
    await broadcast(hash, requested);
    await here.node.send(raw);
    await here.node.mine(DEPTH);
    expect(await look()).toEqual([]);
    await here.world.advanceClock(11 * 60_000);
    expect(await look()).toMatchObject([{ kind: 'payment_reverted', evidence: { transactionHash: hash } }]);
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'broadcast' });
    const booked = await here.world.rows('select kind from ledger_transfers where source_id = $1', [
      requested.withdrawalId,
    ]);
    expect(booked).toEqual([{ kind: 'hold' }]);
  });

  it('because it pays another withdrawal of the same amount completes the one that it pays and no second one (IX09)', async () => {
    const to = someAddress();
    const first = await requestEther(to);
    // Long after it, so that the second is no look-alike.
    await here.world.advanceClock(11 * 60_000);
    const second = await requestEther(to);
    const { hash, raw } = await here.node.signPayment(to, ETHER);
    await broadcast(hash, first);
    await broadcast(hash, second);
    await here.node.send(raw);
    await here.node.mine(DEPTH);
    await here.world.advanceClock(11 * 60_000);
    const cases = await look();
    const statuses = [
      (await here.world.row(first.withdrawalId)).status,
      (await here.world.row(second.withdrawalId)).status,
    ];
    expect(statuses.sort()).toEqual(['broadcast', 'completed']);
    expect(cases).toMatchObject([{ kind: 'paid_otherwise', evidence: { transactionHash: hash } }]);
  });

  it('because another spent its nonce is told from it by every hash that custody names (EC107)', async () => {
    const to = someAddress();
    const requested = await requestEther(to);
    const replaced = await here.node.signPayment(to, ETHER);
    await broadcast(replaced.hash, requested);
    here.node.forget();
    // The same nonce and another fee: what custody calls a replacement.
    const { hash, raw } = await here.node.signPayment(to, ETHER, 2n);
    await name(hash, requested);
    await here.node.send(raw);
    await here.node.mine(DEPTH);
    expect(await look()).toEqual([]);
    expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed', transaction_hash: hash });
  });
});
