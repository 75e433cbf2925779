import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPerson, openTestWeb, type TestWeb } from '#server/api/api-world.test-support.ts';
import { createRelay, type Relay } from '#server/api/relay-after-commit.ts';
import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { createWithdrawalQueue, type WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: `0x${'c0'.repeat(20)}`, USDT: null } });
});
afterAll(() => database.close());

type World = { web: TestWeb; relay: Relay; queue: WithdrawalQueue };

async function withRedis(
  redisUrl: string,
  run: (world: World) => Promise<void>,
  until: Promise<void> = Promise.resolve(),
): Promise<void> {
  const queue = createWithdrawalQueue({ redisUrl, deadlineMs: 300 });
  const relay = createRelay(async (outboxIds) => {
    await until;
    const deps = { db: database.db, queue, times: { outboxLeaseMs: 200 } };
    return relayOutbox(deps, { outboxIds, limit: outboxIds.length });
  });
  const web = await openTestWeb(database.db, { relay: relay.send });
  try {
    await run({ web, relay, queue });
  } finally {
    await relay.settled();
    await web.close();
    await queue.close();
  }
}

const aRequest = () => ({
  asset: 'USDC',
  network: 'ethereum',
  address: `0x${randomUUID().replaceAll('-', '')}aabbccdd`,
  amount: '10',
});
const waiting = (withdrawalId: string) =>
  database.run('select 1 from outbox where withdrawal_id = $1 and relayed_at is null', [withdrawalId]);

test('after the commit the row goes to the queue by itself, as a job that carries only the id', async () => {
  const redisUrl = process.env.TEST_REDIS_URL;
  if (!redisUrl) throw new Error('TEST_REDIS_URL is missing');
  await withRedis(redisUrl, async ({ web, relay, queue }) => {
    const alice = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
    const { withdrawalId } = (await alice.request(aRequest(), randomUUID())).data.withdrawal;
    await relay.settled();
    expect(await waiting(withdrawalId)).toEqual([]);
    const jobs = await queue.bull.getJobs(['waiting', 'prioritized', 'active', 'delayed', 'completed', 'failed']);
    const job = jobs.find((one) => one.data.withdrawalId === withdrawalId);
    expect(job?.data).toEqual({ withdrawalId });
    await job?.remove();
  });
});

test('EC28, Q06: with Redis down nobody waits for it: the request is accepted, and its row waits for the loop', async () => {
  let release = () => {};
  const answered = new Promise<void>((resolve) => {
    release = resolve;
  });
  await withRedis(
    'redis://127.0.0.1:1',
    async ({ web, relay }) => {
      const alice = web.as(await openPerson(database.db, { balances: { USDC: 1_000_000_000n } }));
      const key = randomUUID();
      const body = aRequest();
      const answer = await alice.request(body, key);
      // Only now does the relay begin: had the request waited for it, it would never have been answered.
      release();
      expect(answer.data).toMatchObject({ replayed: false, withdrawal: { status: 'queued' } });
      await relay.settled();
      const { withdrawalId } = answer.data.withdrawal;
      expect(await waiting(withdrawalId)).toHaveLength(1);
      expect((await alice.request(body, key)).data.replayed).toBe(true);
      expect(await waiting(withdrawalId)).toHaveLength(1);
    },
    answered,
  );
});
