import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyChainHead } from '#server/chain/apply-chain-head.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import type { Database, Db } from '#server/db/database.ts';
import { resolveInDoubtWithdrawal } from '#server/withdrawals/resolve-in-doubt-withdrawal.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld, type Requested } from '../../worker/test-support/dispatch-world.ts';
import { type OwnChain, startOwnChain } from '../../worker/test-support/own-chain.ts';

const ETHER = 20_000_000_000_000_000n;
const DEPTH = 3;
const ROUNDS = 8;

let node: OwnChain;
let world: DispatchWorld;
beforeAll(async () => {
  node = await startOwnChain();
  world = await createDispatchWorld();
  // In place of an operator with a second factor.
  await world.rows('alter table networks disable trigger networks_fewer_confirmed');
  await world.rows('update networks set confirmations_required = $1', [DEPTH]);
  await world.seedControl();
  await node.mine();
  await follow();
});
afterAll(async () => {
  await world.close();
  await node.stop();
});

/** The indexer, until it has read and settled all there is. */
async function follow(db: Database = world.db): Promise<void> {
  const chain = createChainRpcClient({ url: node.url, timeoutMs: 10_000 });
  for (let turn = 0; turn < 50; turn += 1) {
    const { number, isBehind } = await indexBlocks({ db, chain }, { networkId: 'ethereum', limit: 10 });
    if (number !== null) await applyChainHead({ db: world.db }, { networkId: 'ethereum', headNumber: number });
    if (!isBehind) return;
  }
  throw new Error('the indexer does not come to an end');
}

/** In doubt here; custody has it, and its transaction is about to be found by a look-up and by the indexer alike. */
async function givenDoubtThatWasPaid(): Promise<Requested> {
  const address = `0x${randomBytes(20).toString('hex')}`;
  const requested = await world.request({ asset: 'ETH', amountMinor: ETHER, address });
  world.custody.script = ['accept_then_drop'];
  world.custody.lookUps = 'fail';
  await processWithdrawal(world.tools, requested);
  world.custody.lookUps = 'normal';
  const { hash, raw } = await node.signPayment(address, ETHER);
  const transfer = world.custody.transferOf(requested.key);
  transfer.status = 'broadcast';
  transfer.transactions = [{ hash, nonce: 0, status: 'broadcast', signedAt: '' }];
  await node.send(raw);
  await node.mine(DEPTH);
  await world.makeDue(requested.withdrawalId);
  return requested;
}

const lookUp = (requested: Requested, db: Database = world.db) =>
  resolveInDoubtWithdrawal({ ...world.tools, db }, { withdrawalId: requested.withdrawalId });

/** A database whose transactions have written everything, and are not committed before `meanwhile` has ended. */
function committedAfter(meanwhile: () => Promise<unknown>): Database {
  return Object.create(world.db, {
    transaction: {
      value: (work: (tx: Db) => Promise<unknown>) =>
        world.db.transaction(async (tx) => {
          const result = await work(tx);
          await meanwhile();
          return result;
        }),
    },
  });
}

async function expectCompletedOnce({ withdrawalId }: Requested): Promise<void> {
  const row = await world.row(withdrawalId);
  expect(row).toMatchObject({ status: 'completed' });
  const tied = await world.rows('select id, state from chain_effects where withdrawal_id = $1', [withdrawalId]);
  expect(tied).toEqual([{ id: row.completing_effect_id, state: 'final' }]);
  const booked = await world.rows('select kind from ledger_transfers where source_id = $1 order by id', [withdrawalId]);
  expect(booked).toEqual([{ kind: 'hold' }, { kind: 'post' }]);
  expect(await world.rows('select kind from cases')).toEqual([]);
}

describe('a transfer that a look-up finds while the indexer ties its effect', () => {
  it('is completed once when the look-up commits after the effect is final', async () => {
    const requested = await givenDoubtThatWasPaid();
    expect(await lookUp(requested, committedAfter(follow))).toEqual({ kind: 'found' });
    await follow();
    await expectCompletedOnce(requested);
  });

  it('is completed once when the blocks commit after the look-up', async () => {
    const requested = await givenDoubtThatWasPaid();
    await follow(committedAfter(() => lookUp(requested)));
    await follow();
    await expectCompletedOnce(requested);
  });

  it(`is completed once however the two mix, in ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const requested = await givenDoubtThatWasPaid();
      await Promise.all([lookUp(requested), follow(), lookUp(requested), follow()]);
      await follow();
      await expectCompletedOnce(requested);
    }
  });
});
