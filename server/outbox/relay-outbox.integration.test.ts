import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCutProxy } from '#server/db/cut-proxy.test-support.ts';
import type { Db } from '#server/db/database.ts';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { createWithdrawalQueue, type WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld, until } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld({ redisDatabase: 6, times: { outboxLeaseMs: 50 } });
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.redis.flushdb();
  await world.rows('update outbox set relayed_at = protocol_now() where relayed_at is null');
});

const waiting = () => world.rows('select 1 from outbox where relayed_at is null');
const jobs = async () => (await world.tools.queue.bull.getJobCounts('waiting')).waiting ?? 0;
const relay = (limit = 200, tools: Partial<typeof world.tools> = {}) =>
  relayOutbox({ ...world.tools, ...tools }, { limit });

/** Relays until nothing waits, as the loop does. */
const relayAll = (tools: Partial<typeof world.tools> = {}) =>
  until('everything is relayed', async () => {
    await relay(200, tools);
    return (await waiting()).length === 0;
  });

describe('a relay that dies', () => {
  it('EC25: between the queue and its mark adds the wake-up once more, which the queue knows by its id', async () => {
    const { outboxId } = await world.request();
    const dying: Db = {
      query: (statement, values) => {
        if (statement.name === 'mark_relayed') throw new Error('died before the mark');
        return world.db.query(statement, values);
      },
    };
    await expect(relay(10, { db: Object.create(world.db, { query: { value: dying.query } }) })).rejects.toThrow('died');
    expect([await jobs(), (await waiting()).length]).toEqual([1, 1]);
    await relayAll();
    expect(await jobs()).toBe(1);
    expect(outboxId).toBeGreaterThan(0n);
  });
});

describe('relays beside each other', () => {
  it('EC26: carry every wake-up once, and lose none', async () => {
    const { withdrawalId } = await world.request();
    await world.rows('insert into outbox (withdrawal_id) select $1::uuid from generate_series(1, 199)', [withdrawalId]);
    let relayed = 0;
    // None of them is so slow that its lease ends; what happens then is told above.
    const times = { ...world.tools.times, outboxLeaseMs: 60_000 };
    const one = async () => {
      for (let last = { relayed: 1 }; last.relayed > 0; ) {
        last = await relay(7, { times });
        relayed += last.relayed;
      }
    };
    await Promise.all([one(), one(), one()]);
    expect([relayed, (await waiting()).length, await jobs()]).toEqual([200, 0, 200]);
  });

  it('EC27: carry what was committed out of the order of its numbers', async () => {
    const { withdrawalId } = await world.request();
    await relayAll();
    const early = await openSession();
    await early.query('begin');
    await early.query('insert into outbox (withdrawal_id) values ($1)', [withdrawalId]);
    await world.rows('insert into outbox (withdrawal_id) values ($1)', [withdrawalId]);
    expect(await relay()).toMatchObject({ relayed: 1 });
    await early.query('commit');
    expect(await relay()).toMatchObject({ relayed: 1 });
    await early.end();
  });
});

describe('Q17: a request that is not committed', () => {
  it('is seen by no relay and no worker, and rolled back it leaves neither job nor hold, and its key is free', async () => {
    const [key, id] = [randomUUID(), randomUUID()];
    const accept = `select outcome from request_withdrawal($1, $2, $3, 'USDC', 'ethereum', $4, null, 10000000,
      (select fee_minor from asset_networks where asset_id = 'USDC' and network_id = 'ethereum'), 'on_top', null, false, null, null, 50)`;
    const values = [id, key, world.customerId, `0x${'ab'.repeat(20)}`];
    const session = await openSession();
    await session.query('begin');
    expect((await session.query(accept, values)).rows).toEqual([{ outcome: 'new' }]);
    expect([await relay(), await jobs()]).toEqual([{ relayed: 0, isFull: false }, 0]);
    expect(await processWithdrawal(world.tools, { withdrawalId: id })).toMatchObject({ kind: 'nothing_to_do' });
    await session.query('rollback');
    expect(await relay()).toMatchObject({ relayed: 0 });
    expect(await world.rows('select 1 from ledger_transfers where source_id = $1', [id])).toEqual([]);
    expect((await session.query(accept, values)).rows).toEqual([{ outcome: 'new' }]);
    expect(await relay()).toMatchObject({ relayed: 1 });
    await session.end();
  });
});

describe('a queue that takes nothing', () => {
  it('Q04: and says so by throwing leaves the wake-up in the outbox, and it goes with the next turn', async () => {
    await world.request();
    const refusing: WithdrawalQueue = {
      ...world.tools.queue,
      bull: Object.create(world.tools.queue.bull, {
        addBulk: { value: () => Promise.reject(new Error('Custom Id cannot contain :')) },
      }),
    };
    expect(await relay(10, { queue: refusing })).toEqual({ relayed: 0, isFull: false });
    expect(await waiting()).toHaveLength(1);
    await relayAll();
    expect(await jobs()).toBe(1);
  });

  it('Q16: because its wire is cut in the middle, a hundred times, keeps nobody beyond the deadline and loses nothing', async () => {
    const { withdrawalId } = await world.request();
    const wire = await openCutProxy(world.redisUrl);
    const queue = createWithdrawalQueue({ redisUrl: wire.url, deadlineMs: 60 });
    let longestMs = 0;
    for (let round = 0; round < 100; round += 1) {
      await world.rows('insert into outbox (withdrawal_id) values ($1)', [withdrawalId]);
      const startedAt = performance.now();
      const relaying = relay(200, { queue });
      // Spread over the time that an enqueue takes: before it, in it and after it.
      setTimeout(wire.cut, round % 10);
      await relaying;
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      wire.mend();
    }
    expect(longestMs).toBeLessThan(1_000);
    await queue.close();
    await relayAll();
    expect(await jobs()).toBe(101);
    await wire.close();
  });
});

async function openSession(): Promise<pg.Client> {
  const [row] = await world.rows('select current_database() as name');
  const url = Object.assign(new URL(process.env.TEST_DATABASE_URL ?? ''), { pathname: `/${row?.name}` });
  const session = new pg.Client({ connectionString: url.href });
  await session.connect();
  return session;
}
