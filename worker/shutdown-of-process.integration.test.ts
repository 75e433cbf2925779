import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { readProtocolTimes } from '#server/protocol-times.ts';
import { startInDoubtResolverLoop } from './loops/in-doubt-resolver-loop.ts';
import { createDispatchWorld, type DispatchWorld, type Requested, until } from './test-support/dispatch-world.ts';
import { startWorkerProcess, type WorkerProcess } from './test-support/worker-process.ts';

let world: DispatchWorld;
let worker: WorkerProcess;
let requested: Requested;
let answer: () => void;
beforeEach(async () => {
  world = await createDispatchWorld({ redisDatabase: 7 });
  await world.seedControl();
  await world.rows('update outbox set relayed_at = protocol_now() where relayed_at is null');
  const held = new Promise<void>((resolve) => (answer = resolve));
  world.custody.beforeAnswer = () => held;
  worker = await startWorkerProcess(world, { parts: ['withdrawals'] });
  await worker.untilLogged('memory.checked');
  requested = await world.request();
  await relayOutbox(world.tools, { outboxIds: [requested.outboxId], limit: 1 });
  await until('the send is under way', () => Promise.resolve(world.custody.creates.length === 1));
});
afterEach(async () => {
  answer();
  worker.child.kill('SIGKILL');
  await worker.ended;
  await world.close();
});

const GRACE_MS = readProtocolTimes('proof').shutdownGraceMs;

/** Whoever comes next looks it up, and pays it once. */
async function expectResolvedByTheNext(): Promise<void> {
  const { withdrawalId, key } = requested;
  expect((await world.row(withdrawalId)).status).toMatch(/^(dispatching|in_doubt)$/);
  answer();
  const resolver = startInDoubtResolverLoop(world.tools);
  await until('submitted', async () => (await world.row(withdrawalId)).status === 'submitted', 20_000);
  await resolver.stop();
  expect(world.custody.made.filter((transfer) => transfer.externalId === key)).toHaveLength(1);
}

describe('a worker process that is told to stop with a send under way', () => {
  it('EC44, Q13: ends within its grace, in order, and leaves the row in doubt for the next', async () => {
    const startedAt = performance.now();
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(GRACE_MS + 500);
    await worker.untilLogged('worker.stopped');
    await expectResolvedByTheNext();
  });

  it('ends at once by a second signal, and leaves the row in doubt all the same', async () => {
    worker.child.kill('SIGTERM');
    await worker.untilLogged('worker.stopping');
    const startedAt = performance.now();
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(800);
    expect(worker.log()).not.toContain('worker.stopped');
    await expectResolvedByTheNext();
  });
});
