import { Queue } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { sweepDueWithdrawals } from '#server/outbox/sweep-due-withdrawals.ts';
import { jobIdOf, QUEUE_PREFIX, WITHDRAWAL_QUEUE } from '#server/queue/job-catalog.ts';
import { requireNoEviction } from '#server/queue/redis-connection.ts';
import { createWithdrawalQueue } from '#server/queue/withdrawal-queue.ts';
import { startInDoubtResolverLoop } from '../loops/in-doubt-resolver-loop.ts';
import { startOutboxRelayLoop } from '../loops/outbox-relay-loop.ts';
import { startSweeperLoop } from '../loops/sweeper-loop.ts';
import type { Loop } from '../run-loop.ts';
import { createDispatchWorld, type DispatchWorld, until } from '../test-support/dispatch-world.ts';
import { type QueueWorker, startWithdrawalWorker } from './withdrawal-worker.ts';

let world: DispatchWorld;
let workers: QueueWorker[];
let loops: Loop[];
beforeEach(async () => {
  world = await createDispatchWorld({ redisDatabase: 3 });
  await world.seedControl();
  await world.redis.flushdb();
  await world.rows('update outbox set relayed_at = protocol_now() where relayed_at is null');
  workers = [];
  loops = [];
});
afterEach(async () => {
  await Promise.all([...workers.map((worker) => worker.stop(3_000)), ...loops.map((loop) => loop.stop())]);
  await world.close();
});

const startWorker = () => workers.push(startWithdrawalWorker(world.tools, { redisUrl: world.redisUrl }));
const startLoops = () => {
  const relay = startOutboxRelayLoop(world.tools);
  loops.push(relay, startSweeperLoop(world.tools, relay.nudge), startInDoubtResolverLoop(world.tools));
};
const isSubmitted = async (withdrawalId: string) => (await world.row(withdrawalId)).status === 'submitted';
const transfersUnder = (key: string) => world.custody.made.filter((transfer) => transfer.externalId === key).length;

describe('a wake-up', () => {
  it('EC24: travels from the outbox through the queue to custody, once', async () => {
    startWorker();
    const { withdrawalId, key, outboxId } = await world.request();
    expect(await relayOutbox(world.tools, { outboxIds: [outboxId], limit: 1 })).toEqual({ relayed: 1, isFull: true });
    await until('submitted', () => isSubmitted(withdrawalId));
    expect(transfersUnder(key)).toBe(1);
    expect(await relayOutbox(world.tools, { limit: 10 })).toEqual({ relayed: 0, isFull: false });
  });

  it('a hundred times for one withdrawal pays once, and the duplicates end quickly (EC33)', async () => {
    const { withdrawalId, key } = await world.request();
    await world.tools.queue.bull.addBulk(
      Array.from({ length: 100 }, (_, index) => ({
        name: 'wake',
        data: { withdrawalId },
        opts: { jobId: jobIdOf({ withdrawalId, outboxId: `x${index}` }) },
      })),
    );
    startWorker();
    startWorker();
    await until('all jobs are done', async () => {
      const counts = await world.tools.queue.bull.getJobCounts('waiting', 'active', 'completed', 'failed');
      return counts.completed === 100;
    });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
    expect(world.custody.creates.filter((seen) => seen.key === key)).toHaveLength(1);
  });

  it('OP04: run again from a queue’s dashboard makes no second send where custody has it, and goes by the row’s own rule where it failed', async () => {
    startWorker();
    const sent = await world.request();
    await relayOutbox(world.tools, { outboxIds: [sent.outboxId], limit: 1 });
    await until('submitted', () => isSubmitted(sent.withdrawalId));
    const { bull } = world.tools.queue;
    const untilState = (id: string, state: string) =>
      until(`${id} ${state}`, async () => (await bull.getJobState(id)) === state);
    const done = jobIdOf({ withdrawalId: sent.withdrawalId, outboxId: sent.outboxId.toString() });
    await untilState(done, 'completed');
    const before = (await bull.getJob(done))?.finishedOn ?? 0;
    await (await bull.getJob(done))?.retry('completed');
    await until('it ran again', async () => ((await bull.getJob(done))?.finishedOn ?? 0) > before);
    expect(world.custody.creates.filter((seen) => seen.key === sent.key)).toHaveLength(1);

    // Somebody wrote another amount into a job: it failed, and fails again.
    const other = await world.request();
    const queue = new Queue(WITHDRAWAL_QUEUE, { connection: world.redis, prefix: QUEUE_PREFIX });
    await queue.add('wake', { withdrawalId: other.withdrawalId, amount: '999' }, { jobId: 'tampered-2' });
    await untilState('tampered-2', 'failed');
    await (await bull.getJob('tampered-2'))?.retry('failed');
    await untilState('tampered-2', 'failed');
    expect(transfersUnder(other.key)).toBe(0);
    expect(await world.row(other.withdrawalId)).toMatchObject({ status: 'queued' });
  });

  it('with other data than an id is refused and holds up nobody (EC31, EC34)', async () => {
    startWorker();
    const queue = new Queue(WITHDRAWAL_QUEUE, { connection: world.redis, prefix: QUEUE_PREFIX });
    await queue.add('wake', { withdrawalId: 'not an id' }, { jobId: 'poison-1' });
    const { withdrawalId, key } = await world.request();
    await queue.add('wake', { withdrawalId, amount: '999' }, { jobId: 'tampered-1' });
    await queue.add('wake', { withdrawalId }, { jobId: 'plain-1' });
    await until('submitted', () => isSubmitted(withdrawalId));
    expect(world.custody.transferOf(key).amount).toBe('25');
    expect(await queue.getJobCounts('failed')).toEqual({ failed: 2 });
  });
});

describe('the sweeper', () => {
  it('brings back what Redis lost (EC29)', async () => {
    const requested = [await world.request(), await world.request(), await world.request()];
    await relayOutbox(world.tools, { limit: 10 });
    await world.redis.flushdb();
    startWorker();
    startLoops();
    for (const { withdrawalId, key } of requested) {
      await until('submitted', () => isSubmitted(withdrawalId));
      expect(transfersUnder(key)).toBe(1);
    }
  });

  it('wakes a due row once, however many sweep, and not again while that wake-up is young (EC87)', async () => {
    const { withdrawalId } = await world.request();
    await world.rows('update outbox set relayed_at = protocol_now()');
    const { wakeRepeatMs } = world.tools.times;
    expect(
      (await Promise.all(Array.from({ length: 5 }, () => sweepDueWithdrawals(world.tools)))).every(
        (swept) => swept.woken === 0,
      ),
    ).toBe(true);
    await world.advanceClock(wakeRepeatMs + 100);
    const swept = await Promise.all(Array.from({ length: 5 }, () => sweepDueWithdrawals(world.tools)));
    expect(swept.reduce((sum, one) => sum + one.woken, 0)).toBe(1);
    expect(
      await world.rows('select 1 from outbox where withdrawal_id = $1 and relayed_at is null', [withdrawalId]),
    ).toHaveLength(1);
  });

  it('CU15: four at once over thirty rows: each is sent once, by a claim that was won and written down before', async () => {
    const requested = await Promise.all(Array.from({ length: 30 }, () => world.request()));
    await world.rows('update outbox set relayed_at = protocol_now()');
    await world.advanceClock(world.tools.times.wakeRepeatMs + 100);
    const intents: number[] = [];
    world.custody.beforeAnswer = async ({ key }) => {
      const text = `select 1 from withdrawal_attempts a join withdrawals w on w.id = a.withdrawal_id
        where w.idempotency_key = $1 and a.kind = 'send' and a.fence = w.fence and w.status = 'dispatching'`;
      intents.push((await world.rows(text, [key])).length);
    };
    startWorker();
    startWorker();
    for (let sweeper = 0; sweeper < 4; sweeper += 1) startLoops();
    for (const { withdrawalId } of requested) await until('submitted', () => isSubmitted(withdrawalId));
    expect(intents).toEqual(requested.map(() => 1));
    expect(world.custody.made).toHaveLength(requested.length + 1);
  });

  it('Q15: brings back a row that custody put off twice, though nothing else ever moves in the queue', async () => {
    const { withdrawalId, key, outboxId } = await world.request();
    world.custody.capabilities.requestsNeverRepeated = true;
    world.custody.script = ['maintenance', 'maintenance'];
    startWorker();
    startLoops();
    await relayOutbox(world.tools, { outboxIds: [outboxId], limit: 1 });
    await until('submitted', () => isSubmitted(withdrawalId));
    expect(world.custody.creates.map((seen) => seen.key)).toEqual([key, key, key]);
    expect(transfersUnder(key)).toBe(1);
  });

  it('is not deaf to a job that failed under the same withdrawal (EC30, Q03)', async () => {
    const { withdrawalId, outboxId } = await world.request();
    const id = jobIdOf({ withdrawalId, outboxId: outboxId.toString() });
    // A dead job under this wake-up's own id: the queue will ignore it, the next number will not be.
    await world.tools.queue.bull.add('wake', { withdrawalId }, { jobId: id, delay: 3_600_000 });
    await relayOutbox(world.tools, { limit: 10 });
    startWorker();
    startLoops();
    await until('submitted', () => isSubmitted(withdrawalId));
  });
});

describe('a row whose worker died after the intent', () => {
  it('is resolved and sent by whoever comes next, without Redis', async () => {
    const { withdrawalId, key } = await world.request();
    const { claimWithdrawal } = await import('#server/withdrawals/claim-withdrawal.ts');
    await claimWithdrawal(world.tools, { withdrawalId });
    loops.push(startInDoubtResolverLoop(world.tools));
    await until('submitted', () => isSubmitted(withdrawalId), 20_000);
    expect(transfersUnder(key)).toBe(1);
    expect(world.custody.creates.filter((seen) => seen.key === key)).toHaveLength(1);
  });
});

describe('a transfer that no webhook speaks of', () => {
  it('is followed by looking alone (EC84)', async () => {
    startWorker();
    startLoops();
    const { withdrawalId, key, outboxId } = await world.request();
    await relayOutbox(world.tools, { outboxIds: [outboxId], limit: 1 });
    await until('submitted', () => isSubmitted(withdrawalId));
    const transfer = world.custody.transferOf(key);
    transfer.transactions = [{ hash: `0x${'cd'.repeat(32)}`, nonce: 1, status: 'broadcast', signedAt: '' }];
    transfer.status = 'broadcast';
    await until('broadcast', async () => (await world.row(withdrawalId)).status === 'broadcast');
  });
});

describe('Redis', () => {
  it('that is not there costs the relay its deadline and nothing else (EC28)', async () => {
    const away = createWithdrawalQueue({ redisUrl: 'redis://127.0.0.1:9', deadlineMs: 200 });
    const { withdrawalId } = await world.request();
    const startedAt = performance.now();
    expect(await relayOutbox({ ...world.tools, queue: away }, { limit: 10 })).toEqual({ relayed: 0, isFull: false });
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    await away.close();
    startWorker();
    startLoops();
    await until('submitted', () => isSubmitted(withdrawalId));
  });

  it('that may throw keys away is refused (EC32)', async () => {
    await expect(requireNoEviction(world.redis)).resolves.toBeUndefined();
    const evicting = { info: () => Promise.resolve('# Memory\r\nmaxmemory_policy:allkeys-lru\r\n') };
    await expect(requireNoEviction(evicting)).rejects.toThrow('noeviction, not allkeys-lru');
  });
});
