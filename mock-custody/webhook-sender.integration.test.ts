import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createBody } from './test-support/custody-client.ts';
import { type CustodyUnderTest, startCustodyUnderTest, WEBHOOK_SECRET } from './test-support/custody-under-test.ts';
import { waitUntil } from './test-support/wait-until.ts';
import type { ReceivedEvent } from './test-support/webhook-receiver.ts';

let custody: CustodyUnderTest;
beforeAll(async () => {
  custody = await startCustodyUnderTest();
});
afterAll(() => custody.close());
afterEach(async () => {
  await custody.client.control('DELETE', '/faults');
});

function eventsOf(externalId: string): ReceivedEvent[] {
  return custody.receiver.events.filter((event) => event.externalId === externalId);
}

async function payAndWait(fault?: object): Promise<string> {
  const request = createBody();
  if (fault !== undefined)
    await custody.client.control('POST', '/faults', { externalId: request.externalId, ...fault });
  await custody.client.create(request);
  await waitUntil('confirmed', async () => (await custody.client.find(request.externalId))[0]?.status === 'confirmed');
  return request.externalId;
}

test('every step of a transfer is an event whose signature holds over the raw bytes', async () => {
  const externalId = await payAndWait();
  const types = await waitUntil('four events', () => {
    const found = eventsOf(externalId).map(({ type }) => type);
    return found.length === 4 ? found : null;
  });
  expect(types.toSorted()).toEqual([
    'transfer.accepted',
    'transfer.broadcast',
    'transfer.confirmed',
    'transfer.signed',
  ]);
  for (const event of eventsOf(externalId))
    expect(() => new Webhook(WEBHOOK_SECRET).verify(event.raw, event.headers)).not.toThrow();
  expect(new Set(eventsOf(externalId).map(({ id }) => id)).size).toBe(4);
});

test('an event that was answered 500 comes again under the same id', async () => {
  custody.receiver.refuseNext(1);
  const externalId = await payAndWait();
  const repeated = await waitUntil('an id seen twice', () => {
    const ids = custody.receiver.events.map(({ id }) => id);
    return ids.find((id, place) => ids.indexOf(id) !== place) ?? null;
  });
  expect(repeated).toMatch(/^msg_/);
  await waitUntil('all four arrived', () => new Set(eventsOf(externalId).map(({ id }) => id)).size >= 4);
});

test('after a rotation the new secret and the old one both hold, until the old is dropped', async () => {
  const next = 'whsec_bmV4dC1zZWNyZXQtb2YtdGhlLWV4Y2hhbmdl';
  await custody.client.control('PUT', '/webhooks/secrets', { secrets: [next, WEBHOOK_SECRET] });
  const during = await payAndWait();
  const event = await waitUntil('an event', () => eventsOf(during)[0] ?? null);
  for (const secret of [next, WEBHOOK_SECRET])
    expect(() => new Webhook(secret).verify(event.raw, event.headers)).not.toThrow();
  await custody.client.control('PUT', '/webhooks/secrets', { secrets: [next] });
  const after = await payAndWait();
  const later = await waitUntil('an event', () => eventsOf(after)[0] ?? null);
  expect(() => new Webhook(WEBHOOK_SECRET).verify(later.raw, later.headers)).toThrow();
  await custody.client.control('PUT', '/webhooks/secrets', { secrets: [WEBHOOK_SECRET] });
});

test('webhook_lost sends nothing, and a redelivery by id sends it after all', async () => {
  const externalId = await payAndWait({ kind: 'webhook_lost' });
  expect(eventsOf(externalId)).toEqual([]);
  await custody.client.control('DELETE', '/faults');
  const other = await payAndWait();
  const event = await waitUntil('an event', () => eventsOf(other)[0] ?? null);
  expect((await custody.client.control('POST', '/webhooks/redeliver', { id: event.id })).status).toBe(202);
  await waitUntil('it came again', () => eventsOf(other).filter(({ id }) => id === event.id).length === 2);
  expect((await custody.client.control('POST', '/webhooks/redeliver', { id: 'msg_nobody' })).status).toBe(404);
});

test('webhook_doubled sends each event again', async () => {
  const externalId = await payAndWait({ kind: 'webhook_doubled' });
  await waitUntil('eight deliveries of four events', () => eventsOf(externalId).length === 8);
  expect(new Set(eventsOf(externalId).map(({ id }) => id)).size).toBe(4);
});

test('webhook_reordered lets later events overtake the first', async () => {
  const externalId = await payAndWait({ kind: 'webhook_reordered', count: 1, delayMs: 3_000 });
  await waitUntil('all arrived', () => eventsOf(externalId).length === 4);
  const types = eventsOf(externalId).map(({ type }) => type);
  expect(types.indexOf('transfer.accepted')).toBeGreaterThan(types.indexOf('transfer.signed'));
});

test('webhook_forged sends an event whose signature does not hold', async () => {
  const externalId = await payAndWait({ kind: 'webhook_forged', count: 1 });
  const forged = await waitUntil(
    'the forgery',
    () => eventsOf(externalId).find(({ id }) => id.includes('forged')) ?? null,
  );
  expect(() => new Webhook(WEBHOOK_SECRET).verify(forged.raw, forged.headers)).toThrow();
});

test('webhook_altered sends one id with two bodies, both signed', async () => {
  const externalId = await payAndWait({ kind: 'webhook_altered', count: 1 });
  const pair = await waitUntil('two bodies of one id', () => {
    const events = eventsOf(externalId);
    const twin = events.find((one) => events.some((other) => other.id === one.id && other.raw !== one.raw));
    return twin === undefined ? null : events.filter(({ id }) => id === twin.id);
  });
  for (const event of pair) expect(() => new Webhook(WEBHOOK_SECRET).verify(event.raw, event.headers)).not.toThrow();
});
