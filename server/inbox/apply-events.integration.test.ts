import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { armFaultPoints, disarmFaultPoints } from '#server/fault-points.ts';
import { processInbox } from '#server/inbox/process-inbox.ts';
import { type Delivery, receiveEvent, shown, signEvent } from '#server/inbox/test-support/signed-event.ts';
import { readWebhookSecrets } from '#server/inbox/webhook-signature.ts';
import { applyCustodyEvent } from '#server/withdrawals/apply-custody-event.ts';
import { cancelWithdrawal } from '#server/withdrawals/cancel-withdrawal.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld();
  await world.seedControl();
});
afterEach(async () => {
  disarmFaultPoints();
  // A case stops its customer's payouts, and the next test has the same customer.
  await resume();
});
afterAll(() => world.close());

const sign = (type: string, data: object, eventId?: string) => signEvent(world, { type, data, eventId });
const receive = (delivery: Delivery) => receiveEvent(world, delivery);
const resume = () => world.rows('update customers set payouts_stopped_at = null, payouts_stopped_reason = null');
const apply = () => processInbox(world.tools, { limit: 100 });

describe('applying', () => {
  const broadcastOf = async () => {
    const { withdrawalId, key } = await world.request({ amountMinor: 4_000_000n });
    await processWithdrawal(world.tools, { withdrawalId });
    const delivery = await sign('transfer.broadcast', shown(world.custody.transferOf(key), 'broadcast'));
    await receive(delivery);
    return { withdrawalId, delivery, eventId: delivery.headers['webhook-id'] ?? '' };
  };
  const outcomeOf = async (eventId: string) =>
    (
      await world.rows('select outcome, applied_at is not null as applied from inbox_events where event_id = $1', [
        eventId,
      ])
    )[0];
  const moves = async (withdrawalId: string) =>
    (
      await world.rows('select to_status from withdrawal_history where withdrawal_id = $1 order by id', [withdrawalId])
    ).map((row) => row.to_status);

  it('that times out behind a lock marks nothing; the next turn applies it, and a redelivery then does nothing (WH09)', async () => {
    const { withdrawalId, delivery, eventId } = await broadcastOf();
    await world.db.transaction(async (tx) => {
      await tx.query({ name: '', text: 'select 1 from withdrawals where id = $1 for update' }, [withdrawalId]);
      expect(await apply()).toMatchObject({ applied: 0, parked: 1 });
    });
    expect(await outcomeOf(eventId)).toMatchObject({ applied: false });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
    await world.advanceClock(60_000);
    await apply();
    expect(await outcomeOf(eventId)).toEqual({ applied: true, outcome: 'applied' });
    const after = await moves(withdrawalId);
    expect(await receive(delivery)).toMatchObject({ kind: 'duplicate' });
    expect(await apply()).toMatchObject({ applied: 0 });
    expect(await moves(withdrawalId)).toEqual(after);
  });

  it('is done once when the process dies after storing, and once when it dies after applying (EC82)', async () => {
    const stored = await broadcastOf();
    armFaultPoints({ text: 'W3:throw@1', file: null, allowed: true });
    await expect(apply()).rejects.toThrow('fault point W3');
    disarmFaultPoints();
    // What was stored before a death waits for the next process; what was applied is marked with it.
    expect(await outcomeOf(stored.eventId)).toEqual({ applied: true, outcome: 'applied' });
    await apply();
    expect(await receive(stored.delivery)).toMatchObject({ kind: 'duplicate' });
    expect((await moves(stored.withdrawalId)).filter((status) => status === 'broadcast')).toHaveLength(1);
  });

  it('of one event by many at once is done by one of them (EC74)', async () => {
    const { withdrawalId, eventId } = await broadcastOf();
    const turns = await Promise.all(
      Array.from({ length: 6 }, () => processInbox(world.tools, { eventIds: [eventId], limit: 1 })),
    );
    expect(turns.reduce((sum, turn) => sum + turn.applied, 0)).toBe(1);
    expect((await moves(withdrawalId)).filter((status) => status === 'broadcast')).toHaveLength(1);
  });

  it('an event of thirty days ago again is refused by its time, and would be known by its id (EC81, WH05)', async () => {
    const { delivery, eventId } = await broadcastOf();
    await apply();
    await world.advanceClock(30 * 86_400_000);
    expect(await receive(delivery)).toMatchObject({ kind: 'stale' });
    const { externalId } = JSON.parse(delivery.body.toString()).data;
    expect(await receive(await sign('transfer.broadcast', { externalId }, eventId))).toMatchObject({
      kind: 'conflict',
    });
    expect(await apply()).toMatchObject({ applied: 0 });
  });

  it('an older event after a newer one, and a failure after the end, change no row: the second is a case (WH06, EC77)', async () => {
    const { withdrawalId, key } = await world.request({ amountMinor: 4_100_000n });
    const shownOf = (status: string) => shown(world.custody.transferOf(key), status);
    await processWithdrawal(world.tools, { withdrawalId });
    for (const status of ['broadcast', 'signed', 'accepted']) {
      await receive(await sign(`transfer.${status}`, shownOf(status)));
      await apply();
      expect(await world.row(withdrawalId)).toMatchObject({ status: 'broadcast' });
    }
    const cancelled = await world.request({ amountMinor: 4_200_000n });
    await cancelWithdrawal(world, { withdrawalId: cancelled.withdrawalId, customerId: world.customerId });
    const meaning = await world.row(cancelled.withdrawalId);
    const late = {
      id: 'tr_late',
      externalId: cancelled.key,
      asset: 'USDC',
      network: 'ethereum',
      address: meaning.address,
      memo: null,
    };
    await receive(
      await sign('transfer.accepted', {
        ...late,
        amount: '4.2',
        status: 'accepted',
        failureCode: null,
        final: false,
        transactions: [],
      }),
    );
    await apply();
    expect(await world.row(cancelled.withdrawalId)).toMatchObject({ status: 'cancelled' });
    expect(await world.rows('select kind from cases where withdrawal_id = $1', [cancelled.withdrawalId])).toEqual([
      { kind: 'transfer_after_end' },
    ]);
  });

  it('nothing is lost in an outage: what could not be stored is an error to the sender, who comes again (EC83)', async () => {
    const delivery = await sign('transfer.accepted', { externalId: randomUUID() });
    const gone: DispatchWorld = {
      ...world,
      db: { ...world.db, query: () => Promise.reject(new Error('the database is away')) },
    };
    await expect(receiveEvent(gone, delivery)).rejects.toThrow('away');
    expect(await receive(delivery)).toMatchObject({ kind: 'stored' });
  });

  it('an event of another account, signed with another secret, is refused (EC85)', async () => {
    const delivery = await sign('transfer.accepted', { externalId: randomUUID() });
    const theirs = readWebhookSecrets([`whsec_${Buffer.alloc(32, 7).toString('base64')}`]);
    expect(await receiveEvent(world, delivery, theirs)).toMatchObject({ kind: 'bad_signature' });
  });

  it('a deep body and many events at once cost bounded memory, and a withdrawal goes through beside them (EC86)', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const many = await Promise.all(
      Array.from({ length: 300 }, (_, place) => sign('account.note', { place, deep: place === 0 ? deep : '' })),
    );
    const before = process.memoryUsage().heapUsed;
    const { withdrawalId } = await world.request({ amountMinor: 4_300_000n });
    const [receipts] = await Promise.all([
      Promise.all(many.map(receive)),
      processWithdrawal(world.tools, { withdrawalId }),
    ]);
    expect(receipts.every(({ kind }) => kind === 'stored')).toBe(true);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
    while ((await apply()).isFull);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
  });
});

it('the events of a transfer in five hundred random orders give one final row, and with a final failure among them that row or a case (EC75)', async () => {
  const seed = Number(process.env.FAST_CHECK_SEED ?? 20_261_130);
  process.stdout.write(`orders of events from seed ${seed}\n`);
  const statuses = ['accepted', 'signed', 'broadcast', 'confirmed', 'failed'] as const;
  const order = fc
    .tuple(
      fc.shuffledSubarray([...statuses.slice(0, 4)], { minLength: 4 }),
      fc.array(fc.constantFrom(...statuses), { maxLength: 5 }),
    )
    .map(([all, more]) => [...all, ...more]);
  const seen = { without: new Set<string>(), with: new Set<string>() };
  for (const [place, events] of fc.sample(order, { numRuns: 500, seed }).entries()) {
    await resume();
    const { withdrawalId, key } = await world.request({ amountMinor: 1_000_000n + BigInt(place) });
    const row = await world.row(withdrawalId);
    const hashes = [{ hash: `0x${place.toString(16).padStart(64, '0')}`, nonce: 7n, status: 'broadcast' }];
    await world.db.transaction(async (tx) => {
      for (const [step, status] of events.entries()) {
        const transfer = {
          ...{
            id: `tr_${place}`,
            externalId: key,
            asset: 'USDC',
            network: 'ethereum',
            address: String(row.address),
            memo: null,
          },
          ...{
            amount: `1.${String(place).padStart(6, '0')}`,
            status,
            failureCode: null,
            final: status === 'failed',
            createdAtMs: null,
          },
          transactions: status === 'accepted' ? [] : hashes,
        };
        const { site } = world.tools.custody;
        const fact = { transfer, site, source: 'webhook', sourceId: String(step), attempt: null } as const;
        await applyCustodyEvent({ db: tx, times: world.tools.times }, fact);
      }
    });
    const [end] = await world.rows(
      `select w.status, w.fence, w.confirmations, w.parked_at, w.failure_code, w.transaction_hash is not null as has_hash, w.transfer_id is not null as has_transfer,
        (select array_agg(h.to_status order by h.id) from withdrawal_history h where h.withdrawal_id = w.id) as history,
        exists (select 1 from cases c where c.withdrawal_id = w.id) as has_case
      from withdrawals w where w.id = $1`,
      [withdrawalId],
    );
    (events.includes('failed') ? seen.with : seen.without).add(JSON.stringify(end));
  }
  expect([...seen.without]).toHaveLength(1);
  expect([...seen.without][0]).toContain('"has_case":false');
  const other = [...seen.with].filter((text) => !seen.without.has(text));
  for (const text of other) expect(text).toContain('"has_case":true');
}, 120_000);
