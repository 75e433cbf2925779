import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { processInbox } from '#server/inbox/process-inbox.ts';
import {
  type Delivery,
  HASH,
  receiveEvent,
  receiveTogether,
  shown,
  signEvent,
} from '#server/inbox/test-support/signed-event.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';
import type { ScriptedTransfer } from '../../worker/test-support/scripted-custody.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld();
  await world.seedControl();
});
afterAll(() => world.close());
beforeEach(() => {
  world.custody.lookUps = 'normal';
  world.custody.beforeAnswer = () => Promise.resolve();
});

const sign = (type: string, data: object, eventId?: string, offsetMs?: number) =>
  signEvent(world, { type, data, eventId, offsetMs });
const receive = (delivery: Delivery) => receiveEvent(world, delivery);
const apply = () => processInbox(world.tools, { limit: 100 });
const events = () => world.rows('select count(*)::integer as n from inbox_events');

describe('a delivery', () => {
  it('is stored once, however often it comes at once (EC74, WH05)', async () => {
    const delivery = await sign('transfer.accepted', { externalId: randomUUID() });
    const before = await events();
    const receipts = await Promise.all(Array.from({ length: 10 }, () => receive(delivery)));
    expect(receipts.filter((receipt) => receipt.kind === 'stored')).toHaveLength(1);
    expect(receipts.filter((receipt) => receipt.kind === 'duplicate')).toHaveLength(9);
    expect(Number((await events())[0]?.n)).toBe(Number(before[0]?.n) + 1);
  });

  it('with a bad signature, no header, other bytes or another time is refused, and nothing is stored (EC78, EC81)', async () => {
    const delivery = await sign('transfer.accepted', { externalId: randomUUID() });
    const before = await events();
    const without = (name: string) =>
      Object.fromEntries(Object.entries(delivery.headers).filter(([key]) => key !== name));
    const respaced = Buffer.from(JSON.stringify(JSON.parse(delivery.body.toString()), null, 1));
    const bad: Delivery[] = [
      { ...delivery, body: respaced },
      { ...delivery, headers: { ...delivery.headers, 'webhook-signature': 'v1,AAAA' } },
      {
        ...delivery,
        headers: { ...delivery.headers, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` },
      },
      { ...delivery, headers: { ...delivery.headers, 'webhook-timestamp': '1' } },
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
        ...delivery,
        headers: without(name),
      })),
    ];
    for (const one of bad) expect(await receive(one)).toMatchObject({ kind: 'bad_signature' });
    for (const offset of [-6 * 60_000, 6 * 60_000]) {
      expect(await receive(await sign('transfer.accepted', {}, randomUUID(), offset))).toMatchObject({ kind: 'stale' });
    }
    expect(await events()).toEqual(before);
    for (const offset of [-4 * 60_000, 4 * 60_000]) {
      expect(await receive(await sign('test.ping', {}, randomUUID(), offset))).toMatchObject({ kind: 'stored' });
    }
  });

  it('with a known id and another body is refused, alarmed and kept apart (EC80)', async () => {
    const id = randomUUID();
    expect(await receive(await sign('test.ping', { a: 1 }, id))).toMatchObject({ kind: 'stored' });
    expect(await receive(await sign('test.ping', { a: 2 }, id))).toMatchObject({ kind: 'conflict' });
    expect(await world.rows('select event_id from inbox_conflicts where event_id = $1', [id])).toHaveLength(1);
  });

  it('that arrives beside others is stored with them, and each gets its own answer', async () => {
    const [known, other] = [await sign('test.ping', { a: 1 }), await sign('test.ping', { a: 2 })];
    await receive(known);
    const sameId = await sign('test.ping', { a: 3 }, known.headers['webhook-id']);
    const late = await sign('test.ping', {}, randomUUID(), -6 * 60_000);
    const fresh = await Promise.all([1, 2, 3].map((place) => sign('transfer.accepted', { place })));
    const receipts = await receiveTogether(world, [other, known, late, sameId, ...fresh, other]);
    expect(receipts.map(({ kind }) => kind)).toEqual([
      ...['stored', 'duplicate', 'stale', 'conflict', 'stored', 'stored', 'stored', 'duplicate'],
    ]);
    for (const { headers, body } of [other, ...fresh]) {
      const stored = await world.rows('select body from inbox_events where event_id = $1', [headers['webhook-id']]);
      expect(stored).toEqual([{ body }]);
    }
  });

  it('of an unknown type is taken and ignored (EC83)', async () => {
    const id = randomUUID();
    expect(await receive(await sign('account.renamed', { name: 'x' }, id))).toMatchObject({ kind: 'stored' });
    await apply();
    expect(await world.rows('select outcome from inbox_events where event_id = $1', [id])).toEqual([
      { outcome: 'ignored' },
    ]);
  });
});

describe('an event', () => {
  it('that comes before the answer of its own send is matched by our reference (EC76, WH07)', async () => {
    const { withdrawalId, key } = await world.request();
    world.custody.beforeAnswer = async (seen) => {
      // Custody has it and says so, before it answers us.
      const early: ScriptedTransfer = {
        id: 'tr_early',
        status: 'accepted',
        failureCode: null,
        final: false,
        transactions: [],
        createdAt: '',
        updatedAt: '',
        ...JSON.parse(seen.body),
      };
      world.custody.transfers.set(key, early);
      await receive(await sign('transfer.broadcast', shown(early, 'broadcast')));
      await apply();
    };
    await processWithdrawal(world.tools, { withdrawalId });
    expect(await world.row(withdrawalId)).toMatchObject({
      status: 'broadcast',
      transfer_id: 'tr_early',
      transaction_hash: HASH,
    });
    const history = await world.rows(
      'select from_status, to_status from withdrawal_history where withdrawal_id = $1 order by id',
      [withdrawalId],
    );
    expect(history.map((row) => row.to_status)).toEqual(['queued', 'dispatching', 'submitted', 'broadcast']);
    const [attempt] = await world.rows('select outcome from withdrawal_attempts where withdrawal_id = $1', [
      withdrawalId,
    ]);
    expect(attempt).toEqual({ outcome: 'accepted' });
  });

  it('about a row that is still queued leads over in doubt, step by step, and forbids a send', async () => {
    const { withdrawalId, key } = await world.request();
    const [row] = await world.rows('select * from withdrawals where id = $1', [withdrawalId]);
    const foreign = {
      id: 'tr_foreign',
      externalId: key,
      asset: 'USDC',
      network: 'ethereum',
      address: row?.address,
      memo: null,
      amount: '25.0',
      status: 'accepted',
      failureCode: null,
      final: false,
      transactions: [],
    };
    await receive(await sign('transfer.accepted', foreign));
    const before = world.custody.creates.length;
    expect((await processWithdrawal(world.tools, { withdrawalId })).kind).toBe('waiting');
    await apply();
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted', transfer_id: 'tr_foreign' });
    const history = await world.rows('select to_status from withdrawal_history where withdrawal_id = $1 order by id', [
      withdrawalId,
    ]);
    expect(history.map((one) => one.to_status)).toEqual(['queued', 'in_doubt', 'submitted']);
    expect(world.custody.creates).toHaveLength(before);
  });

  it('about nothing that we know is parked, tried again, and after a while opens one case (EC76, WH07)', async () => {
    const id = randomUUID();
    const unknown = {
      id: 'tr_nobody',
      externalId: randomUUID(),
      asset: 'USDC',
      network: 'ethereum',
      address: '0x1',
      memo: null,
      amount: '1',
      status: 'accepted',
      failureCode: null,
      final: false,
      transactions: [],
    };
    await receive(await sign('transfer.accepted', unknown, id));
    expect(await apply()).toMatchObject({ parked: 1 });
    expect(await world.rows('select applied_at, outcome from inbox_events where event_id = $1', [id])).toEqual([
      { applied_at: null, outcome: 'parked' },
    ]);
    for (let round = 0; round < 2; round += 1) {
      await world.advanceClock(world.tools.times.inboxParkedMaxMs + 5_000);
      await apply();
    }
    expect(await world.rows(`select kind from cases where kind = 'transfer_unknown_here'`)).toHaveLength(1);
  });

  it('with other money than was asked opens a case, pauses the asset and moves nothing', async () => {
    const { withdrawalId, key } = await world.request({ asset: 'ETH', amountMinor: 20_000_000_000_000_000n });
    await processWithdrawal(world.tools, { withdrawalId });
    await receive(
      await sign('transfer.broadcast', { ...shown(world.custody.transferOf(key), 'broadcast'), amount: '7' }),
    );
    await apply();
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
    expect(await world.rows('select kind from cases where withdrawal_id = $1', [withdrawalId])).toEqual([
      { kind: 'transfer_differs' },
    ]);
    expect(await world.rows(`select target from switches where resumed_at is null`)).toEqual([{ target: 'ETH' }]);
  });
});

describe('the events of a transfer', () => {
  it('in any order and repetition give byte-equal final rows (EC75)', async () => {
    await world.rows('update customers set payouts_stopped_at = null');
    const statuses = ['accepted', 'signed', 'broadcast', 'confirmed'] as const;
    const finals = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(['accepted', 'signed', 'broadcast', 'confirmed'], { minLength: 4 }),
        fc.array(fc.constantFrom(...statuses), { maxLength: 4 }),
        fc.boolean(),
        async (order, repeats, isBatched) => {
          const { withdrawalId, key } = await world.request({ amountMinor: 3_000_000n });
          await processWithdrawal(world.tools, { withdrawalId });
          for (const status of [...order, ...repeats]) {
            await receive(await sign(`transfer.${status}`, shown(world.custody.transferOf(key), status)));
            if (!isBatched) await apply();
          }
          await apply();
          const [row] = await world.rows(
            `select w.status, w.fence, w.transaction_hash, w.confirmations, w.parked_at, w.failure_code, w.wait_reason, w.revision,
              w.transfer_id = $2 as same_transfer,
              (select array_agg(t.transaction_hash || ' ' || t.nonce) from withdrawal_transactions t where t.withdrawal_id = w.id) as transactions,
              (select array_agg(h.to_status order by h.id) from withdrawal_history h where h.withdrawal_id = w.id) as history
            from withdrawals w where w.id = $1`,
            [withdrawalId, world.custody.transferOf(key).id],
          );
          finals.add(JSON.stringify(row));
        },
      ),
      { numRuns: 25, seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_130) },
    );
    expect([...finals]).toHaveLength(1);
    expect([...finals][0]).toContain('"status":"broadcast"');
    expect(
      await world.rows(
        `select count(*)::integer as n from cases where kind not in ('transfer_unknown_here', 'transfer_differs')`,
      ),
    ).toEqual([{ n: 0 }]);
  });
});

describe('events that wait together', () => {
  /** A withdrawal that custody has, and its news. */
  const withNews = async (status: string, change: object = {}) => {
    const { withdrawalId, key } = await world.request();
    await processWithdrawal(world.tools, { withdrawalId });
    const transfer = world.custody.transferOf(key);
    // Each its own transaction.
    const transactions = [{ hash: `0x${key.replaceAll('-', '').repeat(2)}`, nonce: 7, status: 'broadcast' }];
    const eventId = randomUUID();
    await receive(await sign(`transfer.${status}`, { ...shown(transfer, status), transactions, ...change }, eventId));
    return { withdrawalId, key, eventId, hash: transactions[0]?.hash };
  };
  const outcomeOf = async (eventId: string) =>
    (
      await world.rows('select outcome, applied_at is not null as applied from inbox_events where event_id = $1', [
        eventId,
      ])
    )[0];

  it('move every row as each alone would, with a history, a hash and a mark of its own', async () => {
    const all = [];
    for (let count = 0; count < 5; count += 1) all.push(await withNews('broadcast'));
    expect(await apply()).toMatchObject({ applied: 5 });
    for (const { withdrawalId, eventId, hash } of all) {
      expect(await world.row(withdrawalId)).toMatchObject({ status: 'broadcast', transaction_hash: hash });
      expect(
        await world.rows('select transaction_hash, nonce from withdrawal_transactions where withdrawal_id = $1', [
          withdrawalId,
        ]),
      ).toEqual([{ transaction_hash: hash, nonce: '7' }]);
      expect(
        await world.rows(
          `select evidence->>'sourceId' as event from withdrawal_history where withdrawal_id = $1 and to_status = 'broadcast'`,
          [withdrawalId],
        ),
      ).toEqual([{ event: eventId }]);
      expect(await outcomeOf(eventId)).toEqual({ outcome: 'applied', applied: true });
    }
  });

  it('leave what is unknown, differs or is unreadable to itself, and the others go on', async () => {
    const [good, differing, other] = [
      await withNews('broadcast'),
      await withNews('broadcast', { amount: '7' }),
      await withNews('broadcast'),
    ];
    await world.rows('update customers set payouts_stopped_at = null');
    const unknown = randomUUID();
    await receive(
      await sign(
        'transfer.broadcast',
        { ...shown(world.custody.transferOf(good.key), 'broadcast'), externalId: randomUUID() },
        unknown,
      ),
    );
    expect(await apply()).toMatchObject({ applied: 3, parked: 1 });
    expect(await world.row(good.withdrawalId)).toMatchObject({ status: 'broadcast' });
    expect(await world.row(other.withdrawalId)).toMatchObject({ status: 'broadcast' });
    expect(await world.row(differing.withdrawalId)).toMatchObject({ status: 'submitted' });
    expect(await outcomeOf(differing.eventId)).toEqual({ outcome: 'contradiction', applied: true });
    expect(await outcomeOf(unknown)).toEqual({ outcome: 'parked', applied: false });
    await world.rows('update customers set payouts_stopped_at = null');
    await world.rows(`update inbox_events set applied_at = protocol_now() where event_id = $1`, [unknown]);
  });

  it('take no harm from one that cannot be applied: it alone is parked', async () => {
    await world.rows('alter table switches disable trigger user');
    await world.rows(`delete from switches`);
    const [good, poisoned, other] = [
      await withNews('broadcast'),
      await withNews('broadcast'),
      await withNews('broadcast'),
    ];
    await world.rows(
      `create function refuse_one() returns trigger language plpgsql as $$ begin
         if new.withdrawal_id = '${poisoned.withdrawalId}' then raise exception 'poisoned'; end if; return new; end $$`,
    );
    await world.rows(
      'create trigger refuse_one before insert on withdrawal_transactions for each row execute function refuse_one()',
    );
    expect(await apply()).toMatchObject({ applied: 2, parked: 1 });
    await world.rows('drop trigger refuse_one on withdrawal_transactions');
    for (const { withdrawalId } of [good, other])
      expect(await world.row(withdrawalId)).toMatchObject({ status: 'broadcast' });
    expect(await world.row(poisoned.withdrawalId)).toMatchObject({ status: 'submitted' });
    expect(await outcomeOf(poisoned.eventId)).toEqual({ outcome: 'parked', applied: false });
    await world.advanceClock(world.tools.times.inboxRetryFirstMs + 1_000);
    expect(await apply()).toMatchObject({ applied: 1 });
    expect(await world.row(poisoned.withdrawalId)).toMatchObject({ status: 'broadcast' });
  });

  it('come from two processes at once and are applied once', async () => {
    const all = [];
    for (let count = 0; count < 6; count += 1) all.push(await withNews('broadcast'));
    const [one, two] = await Promise.all([apply(), apply()]);
    expect(one.applied + two.applied).toBe(6);
    for (const { withdrawalId } of all)
      expect(
        await world.rows(`select 1 from withdrawal_history where withdrawal_id = $1 and to_status = 'broadcast'`, [
          withdrawalId,
        ]),
      ).toHaveLength(1);
  });
});
