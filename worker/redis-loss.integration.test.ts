import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { QUEUE_PREFIX } from '#server/queue/job-catalog.ts';
import { startInDoubtResolverLoop } from './loops/in-doubt-resolver-loop.ts';
import { startOutboxRelayLoop } from './loops/outbox-relay-loop.ts';
import { startSweeperLoop } from './loops/sweeper-loop.ts';
import { processWithdrawal } from './processors/withdrawal-processor.ts';
import { type QueueWorker, startWithdrawalWorker } from './processors/withdrawal-worker.ts';
import { reportHealth } from './report-health.ts';
import type { Loop } from './run-loop.ts';
import { createDispatchWorld, type DispatchWorld, type Requested, until } from './test-support/dispatch-world.ts';
import { createOwnRedis, type OwnRedis } from './test-support/own-redis.ts';
import { startWorkerProcess } from './test-support/worker-process.ts';

let redis: OwnRedis;
let world: DispatchWorld;
let worker: QueueWorker | null;
let loops: Loop[];
beforeAll(async () => {
  redis = await createOwnRedis();
});
afterAll(() => redis.remove());
beforeEach(async () => {
  await redis.start();
  world = await createDispatchWorld({ redisUrl: redis.url, times: { wakeRepeatMs: 500 } });
  await world.seedControl();
  await world.rows('update outbox set relayed_at = protocol_now() where relayed_at is null');
  worker = null;
  loops = [];
});
afterEach(async () => {
  await Promise.all([worker?.stop(1_000), ...loops.map((loop) => loop.stop())]);
  await world.close();
  await redis.kill();
});

const work = () => {
  worker = startWithdrawalWorker(world.tools, { redisUrl: redis.url });
  const relay = startOutboxRelayLoop(world.tools);
  loops.push(relay, startSweeperLoop(world.tools, relay.nudge), startInDoubtResolverLoop(world.tools));
};
const relay = ({ outboxId }: Requested) => relayOutbox(world.tools, { outboxIds: [outboxId], limit: 1 });
const isSubmitted = async ({ withdrawalId }: Requested) => (await world.row(withdrawalId)).status === 'submitted';

async function expectAllPaidOnce(all: readonly Requested[]): Promise<void> {
  for (const one of all) {
    await until('submitted', () => isSubmitted(one), 30_000);
    expect(world.custody.creates.filter((seen) => seen.key === one.key)).toHaveLength(1);
  }
  expect(world.custody.made).toHaveLength(all.length + 1);
}

describe('Redis, lost, costs delay only', () => {
  it('Q06, EC28: down since before anybody asked, what was accepted is sent when it comes', async () => {
    await redis.kill();
    work();
    const requested = [await world.request(), await world.request()];
    for (const one of requested) expect(await relay(one)).toEqual({ relayed: 0, isFull: false });
    await redis.start();
    await expectAllPaidOnce(requested);
  });

  it('Q11, EC29: emptied while one job waits, one is delayed and one is being sent, which is looked up first', async () => {
    const [sent, delayed, waits] = [await world.request(), await world.request(), await world.request()];
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    world.custody.beforeAnswer = (seen) => (seen.key === sent.key ? held : Promise.resolve());
    await relay(sent);
    worker = startWithdrawalWorker(world.tools, { redisUrl: redis.url });
    await until('the send is under way', () => Promise.resolve(world.custody.creates.length === 1));
    await world.tools.queue.bull.add(
      'wake',
      { withdrawalId: delayed.withdrawalId },
      { jobId: 'later-1', delay: 3_600_000 },
    );
    await world.tools.queue.bull.pause();
    await relay(waits);
    await world.rows('update outbox set relayed_at = protocol_now() where relayed_at is null');
    await redis.run('flushall');
    const second = startWithdrawalWorker(world.tools, { redisUrl: redis.url });
    expect(await processWithdrawal(world.tools, { withdrawalId: sent.withdrawalId })).toEqual({
      kind: 'doubt_nothing_to_do',
      transferId: null,
    });
    answer();
    const relaying = startOutboxRelayLoop(world.tools);
    loops.push(relaying, startSweeperLoop(world.tools, relaying.nudge), startInDoubtResolverLoop(world.tools));
    await expectAllPaidOnce([sent, delayed, waits]);
    await second.stop(1_000);
  });

  it('EC40: killed and come back empty under a worker that runs, with its claims and its jobs gone', async () => {
    work();
    const before = [await world.request(), await world.request()];
    for (const one of before) await relay(one);
    await redis.kill();
    const during = await world.request();
    await redis.start();
    await expectAllPaidOnce([...before, during]);
  });

  it('restored from an old snapshot, it wakes what is paid, claims what nobody holds, and pays nobody twice', async () => {
    const [paidMeanwhile, claimedThen] = [await world.request(), await world.request()];
    await relay(paidMeanwhile);
    await relay(claimedThen);
    // The snapshot holds both jobs, and the claim of somebody who has long ended.
    await world.tools.claims.take({ withdrawalId: claimedThen.withdrawalId, token: 'of somebody' });
    await redis.snapshot();
    const first = startWithdrawalWorker(world.tools, { redisUrl: redis.url });
    await until('one is paid', () => isSubmitted(paidMeanwhile));
    const lost = await world.request();
    await relay(lost);
    await first.stop(1_000);
    await redis.kill();
    await redis.start();
    expect(await redis.run('exists', `${QUEUE_PREFIX}:claim:${claimedThen.withdrawalId}`)).toBe(1);
    work();
    await expectAllPaidOnce([paidMeanwhile, claimedThen, lost]);
  });
});

describe('Redis, full', () => {
  it('Q10: keeps what was accepted in the outbox, turns the worker’s health red, and goes on when there is room', async () => {
    work();
    await until('it takes jobs', () => Promise.resolve(worker?.isTaking() === true));
    expect(await reportHealth(world.tools, { loops, worker })).toMatchObject({
      isWritable: true,
      parts: { queue: 'taken' },
    });
    await redis.run('config', 'set', 'maxmemory', '1');
    const requested = await world.request();
    expect(await relay(requested)).toEqual({ relayed: 0, isFull: false });
    const report = await reportHealth(world.tools, { loops, worker });
    expect(report).toMatchObject({ isReady: true, isWritable: false, parts: { queue: 'takes no writes' } });
    await redis.run('config', 'set', 'maxmemory', '0');
    await expectAllPaidOnce([requested]);
  });
});

describe('Redis, set to throw keys away', () => {
  it('EC32, Q09: is refused when a worker starts, which ends and says why', async () => {
    await redis.kill();
    await redis.start({ 'maxmemory-policy': 'allkeys-lru' });
    const started = await startWorkerProcess(world, { parts: ['withdrawals'] });
    expect(await started.ended).toBe(1);
    expect(started.log()).toMatch(/noeviction, not allkeys-lru/);
  });
});
