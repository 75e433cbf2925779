import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimWithdrawal } from '#server/withdrawals/claim-withdrawal.ts';
import { resolveInDoubtWithdrawal } from '#server/withdrawals/resolve-in-doubt-withdrawal.ts';
import { resumeSendingWhenWell } from '#server/withdrawals/resume-sending-when-well.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

const PAST_QUIET_MS = 62_000;
const HOUR_MS = 3_600_000;

let world: DispatchWorld;
beforeEach(async () => {
  // Far apart, so that a busy machine's own seconds decide nothing here.
  world = await createDispatchWorld({ times: { quietPeriodMs: 60_000, notAfterMs: 3_600_000 } });
  await world.seedControl();
});
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
});

const process = (withdrawalId: string) => processWithdrawal(world.tools, { withdrawalId });
const attempts = (withdrawalId: string) =>
  world.rows('select * from withdrawal_attempts where withdrawal_id = $1 order by attempt', [withdrawalId]);
const sends = async (withdrawalId: string) =>
  (await attempts(withdrawalId)).filter((attempt) => attempt.kind === 'send');
const ledger = async (withdrawalId: string) =>
  (await world.rows('select kind from ledger_transfers where source_id = $1 order by id', [withdrawalId])).map(
    (row) => row.kind,
  );
const resolveLater = async (withdrawalId: string, afterMs: number) => {
  await world.advanceClock(afterMs);
  await world.makeDue(withdrawalId);
  return await resolveInDoubtWithdrawal(world.tools, { withdrawalId });
};
/** A row whose one send left no trace anywhere. */
const lose = async () => {
  const requested = await world.request();
  world.custody.script = ['drop'];
  await process(requested.withdrawalId);
  expect(await world.row(requested.withdrawalId)).toMatchObject({ status: 'in_doubt' });
  return requested;
};

/** As two people do; that it takes two, and their second factors, is tried in prisma/guards. */
const CLOSE_CASES = `do $$ declare a uuid := gen_random_uuid(); b uuid := gen_random_uuid(); begin
  insert into users (id, name, email, role) select x, 'Staff', x || '@staff.test', 'operator' from unnest(array[a, b]) x;
  alter table cases disable trigger user;
  update cases set close_proposed_by = a, close_proposed_at = protocol_now(), close_proposed_revision = revision,
    closed_by = b, closed_at = protocol_now(), closed_reason = 'looked at it';
  alter table cases enable trigger user;
end $$`;

describe('a row in doubt', () => {
  it('is sent again after the quiet period with the same bytes under the same key, each send an attempt row (EC47, EC61, EC68, CU09, CU16)', async () => {
    const { withdrawalId, key } = await lose();
    expect(await resolveLater(withdrawalId, PAST_QUIET_MS)).toEqual({ kind: 'resent' });
    expect(await world.row(withdrawalId)).toMatchObject({
      status: 'submitted',
      transfer_id: world.custody.transferOf(key).id,
    });
    const made = await sends(withdrawalId);
    expect(world.custody.creates).toHaveLength(2);
    expect(made.map((send) => send.body_sha256)).toEqual(world.custody.creates.map((seen) => seen.bodySha256));
    expect(new Set(world.custody.creates.map((seen) => seen.body)).size).toBe(1);
    expect(new Set(world.custody.creates.map((seen) => seen.key)).size).toBe(1);
  });

  it('CU05: a day later, its key forgotten by custody, is found where it was made and never sent by its old bytes', async () => {
    const made = await world.request();
    world.custody.script = ['accept_then_drop'];
    world.custody.lookUps = 'fail';
    await process(made.withdrawalId);
    const lost = await lose();
    world.custody.lookUps = 'normal';
    expect((await resolveLater(made.withdrawalId, 25 * HOUR_MS)).kind).toBe('found');
    expect((await resolveLater(lost.withdrawalId, 0)).kind).toBe('back_to_queue');
    expect(world.custody.creates.map((seen) => seen.key)).toEqual([made.key, lost.key]);
    expect(await world.row(made.withdrawalId)).toMatchObject({ status: 'submitted' });
  });

  it('is never sent while the look-up fails (EC52)', async () => {
    const { withdrawalId } = await lose();
    world.custody.lookUps = 'fail';
    for (let round = 0; round < 3; round += 1) {
      expect(await resolveLater(withdrawalId, PAST_QUIET_MS)).toEqual({ kind: 'waiting' });
    }
    expect(world.custody.creates).toHaveLength(1);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt', wait_reason: 'look_up_failed' });
  });

  it('is never sent without a control, and a control that is missing stops all sending', async () => {
    const { withdrawalId } = await lose();
    world.custody.lookUps = 'forgets_all';
    expect(await resolveLater(withdrawalId, PAST_QUIET_MS)).toEqual({ kind: 'stopped' });
    expect(world.custody.creates).toHaveLength(1);
    const other = await world.request();
    expect(await process(other.withdrawalId)).toEqual({ kind: 'waiting', transferId: null });
    expect(await world.row(other.withdrawalId)).toMatchObject({ status: 'queued', wait_reason: 'sending_stopped' });
  });

  it('goes on when custody shows its control again, also where only a whole walk can show it', async () => {
    world.custody.capabilities.searchableByReference = false;
    const { withdrawalId } = await lose();
    world.custody.lookUps = 'forgets_all';
    expect(await resolveLater(withdrawalId, PAST_QUIET_MS)).toEqual({ kind: 'stopped' });
    expect(await resumeSendingWhenWell(world.tools)).toEqual({ resumed: false });
    world.custody.lookUps = 'normal';
    expect(await resumeSendingWhenWell(world.tools)).toEqual({ resumed: true });
  });

  it('goes on with an older control once two people have closed the case of the one that custody lost', async () => {
    const kept = await world.request();
    await process(kept.withdrawalId);
    await world.advanceClock(1_000);
    const { withdrawalId } = await lose();
    const past = world.tools.times.notAfterMs + PAST_QUIET_MS;
    world.custody.transfers.delete(kept.key);
    expect(await resolveLater(withdrawalId, past)).toEqual({ kind: 'stopped' });
    expect(await resumeSendingWhenWell(world.tools)).toEqual({ resumed: false });
    expect(await world.rows('select kind, evidence, customer_id from cases')).toEqual([
      { kind: 'control_not_found', evidence: { reference: kept.key, askedFor: withdrawalId }, customer_id: null },
    ]);
    await world.rows(CLOSE_CASES);
    expect(await resumeSendingWhenWell(world.tools)).toEqual({ resumed: true });
    expect(await resolveLater(withdrawalId, PAST_QUIET_MS)).toEqual({ kind: 'back_to_queue' });
  });

  it('goes back to the queue when absence is proved by custody’s clock, and is sent with new bytes', async () => {
    const { withdrawalId, key } = await lose();
    const past = world.tools.times.notAfterMs + PAST_QUIET_MS;
    expect(await resolveLater(withdrawalId, past)).toEqual({ kind: 'back_to_queue' });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'queued' });
    expect((await sends(withdrawalId))[0]?.proved_absent_at).not.toBeNull();
    expect(await process(withdrawalId)).toMatchObject({ kind: 'submitted' });
    const [first, second] = world.custody.creates;
    expect(second?.key).toBe(first?.key);
    expect(second?.bodySha256).not.toBe(first?.bodySha256);
    expect(world.custody.transferOf(key).externalId).toBe(key);
  });

  it('is not proved absent by our clock alone: custody’s clock decides whether the not-after has passed', async () => {
    const { withdrawalId } = await lose();
    await world.advanceClock(world.tools.times.notAfterMs + PAST_QUIET_MS);
    world.custody.clockOffsetMs = 0;
    await world.makeDue(withdrawalId);
    const result = await resolveInDoubtWithdrawal(world.tools, { withdrawalId });
    expect(result.kind).not.toBe('back_to_queue');
    expect(await world.row(withdrawalId)).not.toMatchObject({ status: 'queued' });
  });

  it.each([2, -2])('EC43: is judged by the database’s clock where a worker’s own is %d hours off', async (hours) => {
    const { withdrawalId, key } = await lose();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR_MS });
    // Custody's clock is its own, and right; here both run in one process.
    world.custody.clockOffsetMs -= hours * HOUR_MS;
    await world.makeDue(withdrawalId);
    expect((await resolveInDoubtWithdrawal(world.tools, { withdrawalId })).kind).toBe('waiting');
    expect(world.custody.creates).toHaveLength(1);
    expect((await resolveLater(withdrawalId, PAST_QUIET_MS)).kind).toBe('resent');
    expect(world.custody.creates.map((seen) => seen.key)).toEqual([key, key]);
  });

  it('CU18: ends as failed when custody shows its refusal under our reference, and the hold comes back once', async () => {
    const { withdrawalId } = await world.request();
    world.custody.script = ['refuse_and_keep'];
    expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_refused' });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'failed', failure_code: 'address_rejected' });
    expect(await ledger(withdrawalId)).toEqual(['hold', 'void']);
  });

  it('does not end by a refused answer that no look-up shows, until absence is proved (EC57)', async () => {
    const { withdrawalId } = await world.request();
    world.custody.script = ['refuse_and_forget'];
    expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_waiting' });
    expect(await resolveLater(withdrawalId, PAST_QUIET_MS)).toEqual({ kind: 'waiting' });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt', wait_reason: 'refusal_awaits_proof' });
    expect(await resolveLater(withdrawalId, world.tools.times.notAfterMs)).toEqual({ kind: 'refused' });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'failed' });
    expect(await ledger(withdrawalId)).toEqual(['hold', 'void']);
    expect(world.custody.creates).toHaveLength(1);
  });

  it('is parked with an alarm when custody shows other money under our reference, and the asset pauses (EC53)', async () => {
    const { withdrawalId, key } = await world.request();
    world.custody.script = ['accept_then_drop'];
    world.custody.beforeAnswer = () => Promise.resolve();
    world.custody.lookUps = 'fail';
    await process(withdrawalId);
    world.custody.lookUps = 'normal';
    const shown = world.custody.transferOf(key);
    world.custody.transfers.set(key, { ...shown, amount: '2500' });
    expect(await resolveLater(withdrawalId, PAST_QUIET_MS)).toEqual({ kind: 'parked' });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt', parked_reason: 'transfer_differs' });
    expect(await world.rows('select scope, target from switches')).toEqual([{ scope: 'asset', target: 'USDC' }]);
    // Shown rightly again, it is proof, and lifts the flag.
    world.custody.transfers.set(key, shown);
    await resolveLater(withdrawalId, PAST_QUIET_MS);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted', parked_at: null });
  });

  it('Q14: is parked when its attempts are used up, and nothing is sent any more', async () => {
    const { withdrawalId } = await lose();
    for (let round = 0; round < 8; round += 1) {
      world.custody.script = ['drop'];
      await resolveLater(withdrawalId, PAST_QUIET_MS);
      const row = await world.row(withdrawalId);
      if (row.status === 'queued') await process(withdrawalId);
    }
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt', parked_reason: 'attempts_exhausted' });
    expect(world.custody.creates).toHaveLength(5);
    world.custody.script = [];
    await resolveLater(withdrawalId, PAST_QUIET_MS);
    expect(world.custody.creates).toHaveLength(5);
  });

  it('is looked up by a whole walk where custody cannot be asked by reference', async () => {
    world.custody.capabilities.searchableByReference = false;
    const { withdrawalId, key } = await world.request();
    world.custody.script = ['accept_then_drop'];
    expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_found' });
    expect(await world.row(withdrawalId)).toMatchObject({
      status: 'submitted',
      transfer_id: world.custody.transferOf(key).id,
    });
  });

  it('is not resent where a switch, a freeze or a stop stands, read in the resending statement itself', async () => {
    const { withdrawalId } = await lose();
    await world.rows(
      `insert into switches (scope, target, reason, paused_by) values ('asset', 'USDC', 'test', 'test')`,
    );
    await resolveLater(withdrawalId, PAST_QUIET_MS);
    expect(world.custody.creates).toHaveLength(1);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt', wait_reason: 'paused_asset' });
  });
});

describe('a crash between the intent and the send', () => {
  it('leaves a row that is looked up before anything is sent, and sent once (EC24, EC41)', async () => {
    const { withdrawalId } = await world.request();
    await claimWithdrawal(world.tools, { withdrawalId });
    // A redelivery before its time does nothing; after it, it resolves and does not send.
    expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_nothing_to_do' });
    await world.makeDue(withdrawalId);
    expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_waiting' });
    expect(world.custody.creates).toHaveLength(0);
    expect(await resolveLater(withdrawalId, PAST_QUIET_MS)).toEqual({ kind: 'resent' });
    expect(world.custody.creates).toHaveLength(1);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
  });
});

describe('the way back to the queue', () => {
  it('is open only when every attempt is proved not sent', async () => {
    world.custody.capabilities.requestsNeverRepeated = true;
    const { withdrawalId } = await lose();
    // The resend finds custody in maintenance: that attempt made nothing, the first may have.
    world.custody.script = ['maintenance'];
    await resolveLater(withdrawalId, PAST_QUIET_MS);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt' });
    expect((await sends(withdrawalId)).map((send) => send.outcome)).toEqual(['in_doubt', 'later']);
  });
});

describe('two resolvers', () => {
  it('take one row once: one look-up, one resend', async () => {
    const { withdrawalId } = await lose();
    await world.advanceClock(PAST_QUIET_MS);
    await world.makeDue(withdrawalId);
    const results = await Promise.all(
      Array.from({ length: 8 }, () => resolveInDoubtWithdrawal(world.tools, { withdrawalId })),
    );
    expect(results.filter((result) => result.kind === 'resent')).toHaveLength(1);
    expect(world.custody.creates).toHaveLength(2);
  });
});
