import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pollTransfer } from '#server/withdrawals/poll-transfer.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld();
});
afterEach(() => world.rows('delete from chain_cursors'));
afterAll(() => world.close());

/** A withdrawal whose transaction custody has named and then left there. */
async function takeToTheNetwork() {
  const { withdrawalId, key } = await world.request({ amountMinor: 2_000_000n });
  await processWithdrawal(world.tools, { withdrawalId });
  const transfer = world.custody.transferOf(key);
  const hash = `0x${key.replaceAll('-', '').padEnd(64, '0')}`;
  const ask = async (change: { status: string; final?: boolean }) => {
    Object.assign(transfer, change);
    transfer.transactions = [{ hash, nonce: 1, status: 'broadcast', signedAt: '' }];
    await world.makeDue(withdrawalId);
    await pollTransfer(world.tools, { withdrawalId });
    const { status, parked_reason: parked, wait_reason: waits, next_action_at: next } = await world.row(withdrawalId);
    return { status, parked, waits, isDated: next !== null };
  };
  expect(await ask({ status: 'broadcast' })).toMatchObject({ status: 'broadcast', parked: null });
  return { withdrawalId, ask, transfer };
}
const beRead = () =>
  world.rows(`insert into chain_cursors (network_id, block_number, block_hash) values ('ethereum', 1, '0x1')`);

describe('a transfer on a network that nobody of ours reads', () => {
  it('waits for people when custody gives it up, and keeps its hold: not seen is not dead', async () => {
    const { withdrawalId, ask } = await takeToTheNetwork();
    const given = { status: 'broadcast', parked: 'given_up_unproved', waits: null, isDated: true };
    expect(await ask({ status: 'failed', final: true })).toEqual(given);
    expect(await ask({ status: 'failed', final: true })).toEqual(given);
    const booked = await world.rows('select kind from ledger_transfers where source_id = $1', [withdrawalId]);
    expect(booked).toEqual([{ kind: 'hold' }]);
  });

  it('waits for people when custody shows no end in time, and no longer when it confirms it', async () => {
    const { ask } = await takeToTheNetwork();
    await world.advanceClock(world.tools.times.unreadEndMs);
    expect(await ask({ status: 'broadcast' })).toMatchObject({ parked: 'end_unproved', isDated: true });
    const confirmed = { status: 'broadcast', parked: null, waits: 'no_reader', isDated: true };
    expect(await ask({ status: 'confirmed' })).toEqual(confirmed);
    await world.advanceClock(world.tools.times.unreadEndMs);
    expect(await ask({ status: 'confirmed' })).toEqual(confirmed);
  });
});

it('a transfer on a network that we read is left to its reader, however long it takes', async () => {
  const { ask } = await takeToTheNetwork();
  await beRead();
  await world.advanceClock(world.tools.times.unreadEndMs * 10);
  expect(await ask({ status: 'broadcast' })).toMatchObject({ parked: null, waits: null, isDated: true });
  expect(await ask({ status: 'failed', final: true })).toMatchObject({ parked: null, waits: 'custody_failed' });
});

describe('a look that brings nothing new', () => {
  it('is kept with what it found, and the transfer is looked at again later', async () => {
    const { withdrawalId, ask } = await takeToTheNetwork();
    const before = await world.row(withdrawalId);
    expect(await ask({ status: 'broadcast' })).toMatchObject({ status: 'broadcast', isDated: true });
    const [kept] = await world.rows(LAST_ATTEMPT, [withdrawalId]);
    expect(kept).toMatchObject({ kind: 'look_up', outcome: 'found', transfer_id: before.transfer_id });
    expect(kept?.detail).toMatchObject({ source: 'look_up', transferStatus: 'broadcast' });
    expect(await world.row(withdrawalId)).toMatchObject({ revision: before.revision, fence: before.fence });
  });

  it('is none where custody names another transaction, another amount or another transfer', async () => {
    const { withdrawalId, ask, transfer } = await takeToTheNetwork();
    transfer.transactions = [{ hash: '0xAB', nonce: 2, status: 'broadcast', signedAt: '' }];
    await world.makeDue(withdrawalId);
    await pollTransfer(world.tools, { withdrawalId });
    const named = await world.rows('select transaction_hash from withdrawal_transactions where withdrawal_id = $1', [
      withdrawalId,
    ]);
    expect(named.map((row) => row.transaction_hash)).toContain('0xab');

    const { amount, id } = transfer;
    Object.assign(transfer, { amount: '3' });
    await ask({ status: 'broadcast' });
    expect(await world.rows(CASES, [withdrawalId])).toEqual([{ kind: 'transfer_differs' }]);
    Object.assign(transfer, { amount, id: `${id}-again` });
    await ask({ status: 'broadcast' });
    expect(await world.rows(CASES, [withdrawalId])).toEqual([{ kind: 'transfer_differs' }, { kind: 'two_transfers' }]);
  });
});

const LAST_ATTEMPT = 'select * from withdrawal_attempts where withdrawal_id = $1 order by attempt desc limit 1';
const CASES = 'select kind from cases where withdrawal_id = $1 order by opened_at';
