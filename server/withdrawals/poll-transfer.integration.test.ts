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
  return { withdrawalId, ask };
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
