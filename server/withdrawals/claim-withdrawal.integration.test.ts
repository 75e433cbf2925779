import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { END_LOOK_UP_ONLY } from '#server/db/end-look-up-only.test-support.ts';
import { RESUME_PAYOUTS } from '#server/db/resume-payouts.test-support.ts';
import { claimWithdrawal } from '#server/withdrawals/claim-withdrawal.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

// What two people or a second factor end is ended past its guard here: how it is ended has tests of its own.
const PAST_GUARDS = `(select set_config('session_replication_role', 'replica', true)) past`;
const LIFT_FREEZE = `update customers set frozen_at = null from ${PAST_GUARDS}`;

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.custody.creates.length = 0;
});

const attempts = (withdrawalId: string) =>
  world.rows('select * from withdrawal_attempts where withdrawal_id = $1 order by attempt', [withdrawalId]);

describe('a claim', () => {
  it('is won by one of twenty workers: one fence, one attempt, one history row (EC36)', async () => {
    const { withdrawalId } = await world.request();
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimWithdrawal(world.tools, { withdrawalId })));
    expect(claims.filter((claim) => claim.kind === 'claimed')).toHaveLength(1);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'dispatching', fence: '1' });
    expect(await attempts(withdrawalId)).toHaveLength(1);
    const history = await world.rows('select to_status from withdrawal_history where withdrawal_id = $1 order by id', [
      withdrawalId,
    ]);
    expect(history.map((row) => row.to_status)).toEqual(['queued', 'dispatching']);
  });

  it('fixes the not-after by the database’s clock, and writes the very bytes that carry it', async () => {
    const { withdrawalId } = await world.request();
    await world.advanceClock(3_600_000);
    const before = await world.now();
    const claimed = await claimWithdrawal(world.tools, { withdrawalId });
    if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
    const distance = claimed.send.notAfter.getTime() - before.getTime() - world.tools.times.notAfterMs;
    expect(Math.abs(distance)).toBeLessThan(2_000);
    expect(JSON.parse(claimed.send.body.toString()).notAfter).toBe(claimed.send.notAfter.toISOString());
    expect((await attempts(withdrawalId))[0]?.not_after).toEqual(claimed.send.notAfter);
  });

  const stops: readonly [string, string, string][] = [
    ['paused_all', `insert into switches (scope, reason, paused_by) values ('all', 't', 't')`, ''],
    ['paused_asset', `insert into switches (scope, target, reason, paused_by) values ('asset', 'USDC', 't', 't')`, ''],
    [
      'paused_network',
      `insert into switches (scope, target, reason, paused_by) values ('network', 'ethereum', 't', 't')`,
      '',
    ],
    ['customer_frozen', 'update customers set frozen_at = protocol_now()', LIFT_FREEZE],
    [
      'payouts_stopped',
      'update customers set payouts_stopped_at = protocol_now()',
      'update customers set payouts_stopped_at = null',
    ],
    ['look_up_only', `update protocol_settings set mode = 'look_up_only'`, END_LOOK_UP_ONLY],
    [
      'sending_stopped',
      'update protocol_settings set sending_stopped_at = protocol_now()',
      'update protocol_settings set sending_stopped_at = null',
    ],
    [
      'pair_disabled',
      `update asset_networks set enabled = false where asset_id = 'USDC'`,
      `update asset_networks set enabled = true from ${PAST_GUARDS} where asset_id = 'USDC'`,
    ],
  ];
  it.each(stops)('waits under %s and says so, and goes on when it is lifted', async (reason, stop, lift) => {
    const { withdrawalId } = await world.request();
    await world.rows(stop);
    expect(await claimWithdrawal(world.tools, { withdrawalId })).toEqual({ kind: 'waiting', reason });
    const row = await world.row(withdrawalId);
    expect(row).toMatchObject({ status: 'queued', wait_reason: reason, fence: '0' });
    if (lift !== '') await world.rows(lift);
    await world.rows(RESUME_PAYOUTS);
    await world.makeDue(withdrawalId);
    expect(await claimWithdrawal(world.tools, { withdrawalId })).toMatchObject({ kind: 'claimed' });
  });

  it('reads the stop in the claiming statement itself: one that came after the row was read still forbids it', async () => {
    const { withdrawalId, key } = await world.request();
    const notAfter = new Date(Date.now() + 60_000);
    const site = world.tools.custody.site;
    const bytes = world.tools.custody.writeRequest({
      reference: key,
      asset: 'USDC',
      network: 'ethereum',
      address: 'x',
      memo: null,
      amount: '1',
      notAfter,
    });
    await world.rows('update customers set frozen_at = protocol_now()');
    const moved = await recordTransition(world.tools, {
      kind: 'claim',
      withdrawalId,
      fromStatus: 'queued',
      fence: 0n,
      site,
      notAfter,
      ...bytes,
      answerWithinMs: 1_000,
      attemptsMax: 5,
    });
    expect(moved).toEqual({ kind: 'not_moved' });
    await world.rows(LIFT_FREEZE);
  });

  it('never goes to another provider or account than the first', async () => {
    const { withdrawalId } = await world.request();
    await world.rows(`update withdrawals set provider = 'another', provider_account = 'main' where id = $1`, [
      withdrawalId,
    ]);
    expect(await claimWithdrawal(world.tools, { withdrawalId })).toEqual({ kind: 'waiting', reason: 'other_site' });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'queued', parked_reason: 'other_site' });
  });
});

describe('a cancel', () => {
  it('and a claim that race: one of them wins, and money moves in neither or one (EC72)', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { withdrawalId } = await world.request();
      const [processed, cancelled] = await Promise.all([
        processWithdrawal(world.tools, { withdrawalId }),
        recordTransition(world.tools, {
          kind: 'cancel',
          withdrawalId,
          customerId: world.customerId,
          operator: null,
        }),
      ]);
      const row = await world.row(withdrawalId);
      if (cancelled.kind === 'moved') {
        expect(row.status).toBe('cancelled');
        expect(processed.kind).not.toBe('submitted');
        expect(world.custody.transfers.has(String(row.idempotency_key))).toBe(false);
      } else expect(row.status).toBe('submitted');
    }
  });
});

describe('a Redis claim', () => {
  it('of another token is respected, and the job comes back when it has run out', async () => {
    const { withdrawalId } = await world.request();
    await world.rows('update outbox set relayed_at = protocol_now()');
    const claim = { withdrawalId, token: 'another' };
    expect(await world.tools.claims.take(claim)).toEqual({ kind: 'taken', claim });
    expect(await processWithdrawal(world.tools, { withdrawalId })).toMatchObject({ kind: 'held_by_another' });
    const waiting = await world.rows(
      'select not_before > protocol_now() as later from outbox where relayed_at is null',
    );
    expect(waiting).toEqual([{ later: true }]);
    expect(world.custody.creates).toHaveLength(0);
  });

  it('that ran out and was taken by another is not released by its first holder (EC39)', async () => {
    const { withdrawalId } = await world.request();
    const first = { withdrawalId, token: 'first' };
    const second = { withdrawalId, token: 'second' };
    await world.tools.claims.take(first);
    await world.redis.flushdb();
    await world.tools.claims.take(second);
    expect(await world.tools.claims.end(first, null)).toBe(false);
    expect(await world.tools.claims.take(first)).toMatchObject({ kind: 'held' });
    expect(await world.tools.claims.end(second, null)).toBe(true);
    expect(await world.tools.claims.read(withdrawalId)).toBeNull();
  });

  it('is replaced by a small result when the work is done, which refuses no later claim', async () => {
    const { withdrawalId } = await world.request();
    await processWithdrawal(world.tools, { withdrawalId });
    const note = JSON.parse((await world.tools.claims.read(withdrawalId)) ?? '{}');
    const row = await world.row(withdrawalId);
    expect(note).toEqual({ state: 'completed', status: 'submitted', withdrawalId, transferId: row.transfer_id });
    expect(await world.tools.claims.take({ withdrawalId, token: 'later' })).toMatchObject({ kind: 'taken' });
  });

  it('that vanishes with Redis costs nothing: the row decides (EC40)', async () => {
    const { withdrawalId } = await world.request();
    const flushing = setInterval(() => void world.redis.flushdb(), 1);
    await Promise.all(Array.from({ length: 30 }, () => processWithdrawal(world.tools, { withdrawalId })));
    clearInterval(flushing);
    expect(world.custody.creates).toHaveLength(1);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
  });
});
