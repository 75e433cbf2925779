import { Worker } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCustodyHttpClient } from '#server/custody/custody-http-client.ts';
import { type CutProxy, openCutProxy } from '#server/db/cut-proxy.test-support.ts';
import { retryDeadLetter } from '#server/operator/retry-dead-letter.ts';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { jobIdOf, QUEUE_PREFIX, WITHDRAWAL_QUEUE } from '#server/queue/job-catalog.ts';
import { claimWithdrawal } from '#server/withdrawals/claim-withdrawal.ts';
import { startInDoubtResolverLoop } from '../loops/in-doubt-resolver-loop.ts';
import { startOutboxRelayLoop } from '../loops/outbox-relay-loop.ts';
import { startSweeperLoop } from '../loops/sweeper-loop.ts';
import type { Loop } from '../run-loop.ts';
import { createDispatchWorld, type DispatchWorld, until } from '../test-support/dispatch-world.ts';
import type { WorkerTools } from '../worker-tools.ts';
import { processWithdrawal } from './withdrawal-processor.ts';
import { type QueueWorker, startWithdrawalWorker } from './withdrawal-worker.ts';

let world: DispatchWorld;
let wire: CutProxy;
let workers: QueueWorker[];
let loops: Loop[];
beforeEach(async () => {
  // A job is given again after a fifth of a second: much shorter than the sends of these tests.
  world = await createDispatchWorld({ redisDatabase: 5, times: { jobLockMs: 200, claimMs: 200, quietPeriodMs: 400 } });
  await world.seedControl();
  await world.rows('update outbox set relayed_at = protocol_now() where relayed_at is null');
  wire = await openCutProxy(world.redisUrl);
  workers = [];
  loops = [];
});
afterEach(async () => {
  await Promise.all([...workers.map((worker) => worker.stop(1_000)), ...loops.map((loop) => loop.stop())]);
  await wire.close();
  await world.close();
});

const startWorker = (tools: WorkerTools = world.tools, redisUrl = world.redisUrl) => {
  const worker = startWithdrawalWorker(tools, { redisUrl });
  workers.push(worker);
  return worker;
};
const startLoops = () => {
  const relay = startOutboxRelayLoop(world.tools);
  loops.push(relay, startSweeperLoop(world.tools, relay.nudge), startInDoubtResolverLoop(world.tools));
};
const statusOf = async (withdrawalId: string) => String((await world.row(withdrawalId)).status);
const isSubmitted = async (withdrawalId: string) => (await statusOf(withdrawalId)) === 'submitted';
const count = async (text: string, withdrawalId: string) => (await world.rows(text, [withdrawalId])).length;

/** What a withdrawal must have, however often it was delivered: one transfer, one hold, one step of each kind forward. */
async function expectPaidOnce({ withdrawalId, key }: { withdrawalId: string; key: string }): Promise<void> {
  expect(world.custody.made.filter((transfer) => transfer.externalId === key)).toHaveLength(1);
  expect(await count(`select 1 from ledger_transfers where source_id = $1`, withdrawalId)).toBe(1);
  const toSubmitted = `select 1 from withdrawal_history where withdrawal_id = $1 and to_status = 'submitted'`;
  expect(await count(toSubmitted, withdrawalId)).toBe(1);
}

describe('a job that is given to a second worker while the first still sends', () => {
  it('Q01, Q18, EC35, EC37: is looked up; the same bytes may go again, one transfer is made, and the late answer changes nothing', async () => {
    const requested = await world.request();
    const { withdrawalId, key, outboxId } = requested;
    let answerFirst: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answerFirst = resolve));
    world.custody.beforeAnswer = () => (world.custody.creates.length === 1 ? held : Promise.resolve());
    // The first worker waits far longer than its lock, and cannot renew it: to the queue and to us it is dead.
    const patient = createCustodyHttpClient({ url: world.custody.url, apiKey: 'test', timeoutMs: 20_000 });
    startWorker({ ...world.tools, custody: patient }, wire.url);
    await relayOutbox(world.tools, { outboxIds: [outboxId], limit: 1 });
    await until('the first send is under way', () => Promise.resolve(world.custody.creates.length === 1));
    wire.cut();
    startWorker();
    startLoops();
    await until('submitted by the second', () => isSubmitted(withdrawalId));
    const before = await world.row(withdrawalId);
    answerFirst();
    const lateOf = `select 1 from withdrawal_attempts where withdrawal_id = $1 and attempt = 1 and outcome is not null`;
    await until('the first answer is kept', async () => (await count(lateOf, withdrawalId)) === 1);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted', transfer_id: before.transfer_id });
    expect(world.custody.creates.map((seen) => [seen.key, seen.externalId])).toEqual([
      [key, key],
      [key, key],
    ]);
    expect(new Set(world.custody.creates.map((seen) => seen.bodySha256)).size).toBe(1);
    const kinds = await world.rows('select kind from withdrawal_attempts where withdrawal_id = $1 order by attempt', [
      withdrawalId,
    ]);
    expect(kinds.slice(0, 2)).toEqual([{ kind: 'send' }, { kind: 'look_up' }]);
    await expectPaidOnce(requested);
    patient.close();
  });

  it('CU14: pressed by operators at the moment in which a worker takes it, is sent once, in eight rounds', async () => {
    for (let round = 0; round < 8; round += 1) {
      const requested = await world.request();
      const { withdrawalId: id } = requested;
      const press = () => retryDeadLetter(world.tools, { kind: 'withdrawal', id, actorId: 'olga' });
      const take = () => processWithdrawal(world.tools, { withdrawalId: id });
      await Promise.all(round % 2 === 0 ? [take(), press(), take(), press()] : [press(), take(), press(), take()]);
      await until('submitted', () => isSubmitted(id));
      expect(world.custody.creates.filter((seen) => seen.key === requested.key)).toHaveLength(1);
      await expectPaidOnce(requested);
    }
  });

  it('Q19: a job whose lock was taken away while custody answered 500 ends nobody, and the row is settled by evidence', async () => {
    const first = await world.request();
    world.custody.script = ['500'];
    let isFirst = true;
    world.custody.beforeAnswer = async () => {
      if (isFirst) await world.redis.del(`${QUEUE_PREFIX}:${WITHDRAWAL_QUEUE}:${jobIdOf(idsOf(first))}:lock`);
      isFirst = false;
    };
    startWorker();
    startLoops();
    const second = await world.request();
    await until(
      'both submitted',
      async () => (await isSubmitted(first.withdrawalId)) && isSubmitted(second.withdrawalId),
    );
    await expectPaidOnce(first);
    await expectPaidOnce(second);
  });
});

describe('a job that the queue has given up', () => {
  it('Q02: stalled too often, it is a failed job and no failed withdrawal: hold kept, looked up, paid once', async () => {
    const requested = await world.request();
    const { withdrawalId, outboxId } = requested;
    world.custody.script = ['accept_then_drop'];
    await relayOutbox(world.tools, { outboxIds: [outboxId], limit: 1 });
    await dieHolding(withdrawalId);
    const jobKey = `${QUEUE_PREFIX}:${WITHDRAWAL_QUEUE}:${jobIdOf(idsOf(requested))}`;
    await world.redis.hset(jobKey, 'stc', 10);
    startWorker();
    await until('the job has failed', async () => (await world.tools.queue.bull.getJobCounts('failed')).failed === 1);
    expect(await statusOf(withdrawalId)).toMatch(/dispatching|in_doubt|submitted/);
    expect(await count(`select 1 from ledger_transfers where source_id = $1 and kind = 'hold'`, withdrawalId)).toBe(1);
    startLoops();
    await until('submitted', () => isSubmitted(withdrawalId));
    expect(world.custody.creates).toHaveLength(1);
    await expectPaidOnce(requested);
  });

  it('Q05: run again under its own id, at once or after its key was forgotten, it asks custody to make nothing', async () => {
    const requested = await world.request();
    const { withdrawalId, outboxId } = requested;
    startWorker();
    await relayOutbox(world.tools, { outboxIds: [outboxId], limit: 1 });
    await until('submitted', () => isSubmitted(withdrawalId));
    const { bull } = world.tools.queue;
    const jobId = jobIdOf(idsOf(requested));
    for (const forgetClaim of [false, true]) {
      await until('the job has ended', async () => (await bull.getJob(jobId))?.finishedOn !== undefined);
      await bull.remove(jobId);
      if (forgetClaim) await world.redis.del(`${QUEUE_PREFIX}:claim:${withdrawalId}`);
      await bull.add('wake', { withdrawalId }, { jobId });
    }
    await until('the last has ended', async () => (await bull.getJob(jobId))?.finishedOn !== undefined);
    expect(await bull.getJobCounts('failed')).toEqual({ failed: 0 });
    expect(world.custody.creates).toHaveLength(1);
    await expectPaidOnce(requested);
  });
});

function idsOf({ withdrawalId, outboxId }: { withdrawalId: string; outboxId: bigint }) {
  return { withdrawalId, outboxId: outboxId.toString() };
}

/** A worker takes the job, claims the row, sends, and is never heard of again. */
async function dieHolding(withdrawalId: string): Promise<void> {
  const options = {
    connection: world.redis.duplicate({ maxRetriesPerRequest: null }),
    prefix: QUEUE_PREFIX,
    autorun: false,
    lockDuration: 200,
  };
  const dying = new Worker(WITHDRAWAL_QUEUE, null, options);
  expect(await dying.getNextJob('of the dead')).toBeDefined();
  const claimed = await claimWithdrawal(world.tools, { withdrawalId });
  if (claimed.kind !== 'claimed') throw new Error(`not claimed: ${claimed.kind}`);
  const { body, expected } = claimed.send;
  await world.tools.custody.createTransfer({ key: expected.reference, body });
  await dying.close(true);
  options.connection.disconnect();
}
