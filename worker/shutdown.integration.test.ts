import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { startWithdrawalWorker } from './processors/withdrawal-worker.ts';
import { createDispatchWorld, type DispatchWorld, until } from './test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeEach(async () => {
  world = await createDispatchWorld({ redisDatabase: 4 });
  await world.seedControl();
  await world.rows('update outbox set relayed_at = protocol_now() where relayed_at is null');
});
afterEach(() => world.close());

/** A wire to Redis that the test can cut. */
async function cuttable(target: string): Promise<{ url: string; cut: () => void }> {
  const { hostname, port, pathname } = new URL(target);
  const sockets = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return {
    url: `redis://127.0.0.1:${address.port}${pathname}`,
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('a worker that is told to stop', () => {
  it('finishes the send in flight, takes no further job, and leaves nothing half done (EC44, Q13)', async () => {
    const worker = startWithdrawalWorker(world.tools, { redisUrl: world.redisUrl });
    const first = await world.request();
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    world.custody.beforeAnswer = () => held;
    await relayOutbox(world.tools, { outboxIds: [first.outboxId], limit: 1 });
    await until('the send is under way', () => Promise.resolve(world.custody.creates.length === 1));
    const stopped = worker.stop(5_000);
    const second = await world.request();
    await relayOutbox(world.tools, { outboxIds: [second.outboxId], limit: 1 });
    answer();
    await stopped;
    expect(await world.row(first.withdrawalId)).toMatchObject({ status: 'submitted' });
    expect(await world.row(second.withdrawalId)).toMatchObject({ status: 'queued' });
    expect(world.custody.creates).toHaveLength(1);
  });

  it('ends at its deadline also when Redis is gone', async () => {
    const wire = await cuttable(world.redisUrl);
    const worker = startWithdrawalWorker(world.tools, { redisUrl: wire.url });
    await until('it takes jobs', () => Promise.resolve(worker.isTaking()));
    wire.cut();
    const startedAt = performance.now();
    await worker.stop(1_000);
    expect(performance.now() - startedAt).toBeLessThan(4_500);
  });
});

describe('a worker that lost Redis', () => {
  it('takes on when Redis is back (Q07)', async () => {
    const wire = await cuttable(world.redisUrl);
    const worker = startWithdrawalWorker(world.tools, { redisUrl: wire.url });
    await until('it takes jobs', () => Promise.resolve(worker.isTaking()));
    wire.cut();
    await until('it has noticed', () => Promise.resolve(!worker.isTaking()));
    await reopen(wire.url, world.redisUrl);
    await until('it takes jobs again', () => Promise.resolve(worker.isTaking()));
    const { withdrawalId, outboxId } = await world.request();
    await relayOutbox(world.tools, { outboxIds: [outboxId], limit: 1 });
    await until('submitted', async () => (await world.row(withdrawalId)).status === 'submitted', 30_000);
    await worker.stop(2_000);
  });
});

const reopened: Server[] = [];
afterEach(() => {
  for (const server of reopened.splice(0)) server.close();
});

/** Redis under the address of the wire that was cut. */
async function reopen(url: string, target: string): Promise<void> {
  const { hostname, port } = new URL(target);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far).pipe(near);
  });
  reopened.push(server);
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve));
}
