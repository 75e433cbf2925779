import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBody, type Seen } from './test-support/custody-client.ts';
import { type CustodyUnderTest, startCustodyUnderTest } from './test-support/custody-under-test.ts';
import { waitUntil } from './test-support/wait-until.ts';

let custody: CustodyUnderTest;
beforeAll(async () => {
  custody = await startCustodyUnderTest();
});
afterAll(() => custody.close());
beforeEach(async () => {
  await custody.client.control('PUT', '/profile', { profile: 'replays' });
  await custody.client.control('POST', '/clock', { offsetMs: 0 });
});

function body(seen: Seen): Record<string, unknown> {
  if (seen.status === 'broken') throw new Error(`broken: ${seen.why}`);
  return JSON.parse(seen.text);
}

async function created(externalId: string): Promise<number> {
  return (await custody.client.log(externalId)).filter(({ kind }) => kind === 'created').length;
}

describe('a provider that replays answers', () => {
  test('the same key and body get the first answer again, marked as replayed', async () => {
    const request = createBody();
    const first = await custody.client.create(request);
    await waitUntil(
      'it moved on',
      async () => (await custody.client.find(request.externalId))[0]?.status !== 'accepted',
    );
    const second = await custody.client.create(request);
    expect(first).toMatchObject({ status: 201, replayed: false });
    expect(second).toMatchObject({ status: 200, replayed: true });
    expect(body(second)).toEqual(body(first));
    expect(await created(request.externalId)).toBe(1);
  });

  test('forty copies at once make one transfer', async () => {
    const request = createBody();
    const seen = await Promise.all(Array.from({ length: 40 }, () => custody.client.create(request)));
    const statuses = new Set(seen.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 200 || status === 409)).toBe(true);
    expect(seen.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await created(request.externalId)).toBe(1);
  });

  test('the same key with another body is refused', async () => {
    const request = createBody();
    await custody.client.create(request);
    const other = await custody.client.create({ ...request, amount: '0.002' });
    expect(other.status).toBe(422);
    expect(body(other)).toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('another key under the same external id is refused with the id of the first', async () => {
    const request = createBody();
    const first = await custody.client.create(request);
    const other = await custody.client.create(request, { key: randomUUID() });
    expect(other.status).toBe(409);
    expect(body(other)).toMatchObject({ code: 'duplicate_reference', transferId: body(first).id });
  });

  test('a request past its not-after leaves no trace under key or reference', async () => {
    const request = createBody({ notAfter: new Date(Date.now() - 1).toISOString() });
    const late = await custody.client.create(request);
    expect(late.status).toBe(410);
    expect(body(late)).toMatchObject({ code: 'expired', externalId: request.externalId });
    expect(await custody.client.find(request.externalId)).toEqual([]);
    const fresh = await custody.client.create({ ...request, notAfter: createBody().notAfter });
    expect(fresh.status).toBe(201);
  });

  test('a refusal is kept under the reference and replayed under the key', async () => {
    const request = createBody({ address: '0x90F79bf6EB2c4f870365E785982E1f101E93b907' });
    const refused = await custody.client.create(request);
    expect(refused.status).toBe(422);
    expect(body(refused)).toMatchObject({ code: 'address_rejected', externalId: request.externalId });
    expect(await custody.client.find(request.externalId)).toMatchObject([
      { status: 'refused', failureCode: 'address_rejected', final: true },
    ]);
    expect(await custody.client.create(request)).toMatchObject({ status: 422, replayed: true });
  });

  test('a transfer still running answers 409 with Retry-After', async () => {
    const request = createBody();
    await custody.client.control('POST', '/faults', { kind: 'slow', externalId: request.externalId, delayMs: 0 });
    const [one, two] = await Promise.all([custody.client.create(request), custody.client.create(request)]);
    const waiting = [one, two].find(({ status }) => status === 409);
    if (waiting !== undefined && waiting.status !== 'broken') expect(waiting.retryAfter).toBe('1');
    expect(await created(request.externalId)).toBe(1);
  });

  test('every answer carries the clock and a request id', async () => {
    await custody.client.control('POST', '/clock', { offsetMs: 86_400_000 });
    const seen = await custody.client.create(createBody());
    expect(seen).toMatchObject({ status: 410, requestId: expect.stringMatching(/^req_/) });
    if (seen.status === 'broken') throw new Error('no answer');
    expect(Math.abs(Date.parse(seen.date ?? '') - Date.now() - 86_400_000)).toBeLessThan(5_000);
  });

  test.each([
    ['a number for an amount', { amount: 1 }],
    ['an exponent', { amount: '1e3' }],
    ['a sign', { amount: '-1' }],
    ['more decimals than the asset has', { asset: 'USDC', amount: '1.0000001' }],
    ['an unknown field', { note: 'x' }],
  ])('%s is a malformed request', async (_, change) => {
    const request = { ...createBody(), ...change };
    const seen = await custody.client.create(Object.assign(createBody(), request));
    expect(seen.status).toBe(400);
    expect(body(seen)).toMatchObject({ code: 'invalid_request' });
  });

  test.each([
    ['an asset nobody knows', { asset: 'DOGE', network: 'dogecoin' }, 'asset_not_supported'],
    [
      'dust',
      { asset: 'BTC', network: 'bitcoin', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: '0.00000545' },
      'amount_too_small',
    ],
    ['a memo where there is none', { memo: '7' }, 'address_rejected'],
  ])('%s is refused for good', async (_, change, code) => {
    const seen = await custody.client.create(createBody(change));
    expect(seen.status).toBe(422);
    expect(body(seen)).toMatchObject({ code });
  });

  test('a wrong API key is told nothing', async () => {
    const response = await fetch(`${custody.baseUrl}/v1/transfers`, { headers: { authorization: 'Bearer wrong' } });
    expect(response.status).toBe(401);
  });
});

describe('other kinds of provider', () => {
  const become = (profile: string, overrides: object = {}) =>
    custody.client.control('PUT', '/profile', { profile, overrides });

  test('refuses_duplicate_400 knows no keys and answers a duplicate with 400', async () => {
    await become('refuses_duplicate_400');
    const request = createBody();
    const first = await custody.client.create(request);
    const second = await custody.client.create(request);
    expect(second.status).toBe(400);
    expect(body(second)).toMatchObject({ code: 'duplicate_reference', transferId: body(first).id });
    const late = createBody({ notAfter: new Date(0).toISOString() });
    expect((await custody.client.create(late)).status).toBe(201);
  });

  test.each([
    [86_399_000, 200],
    [86_401_000, 409],
  ])('forgets_keys, %i ms later, answers %i', async (offsetMs, status) => {
    await become('forgets_keys');
    const request = createBody({ notAfter: new Date(Date.now() + 200_000_000).toISOString() });
    await custody.client.create(request);
    await custody.client.control('POST', '/clock', { offsetMs });
    expect((await custody.client.create(request)).status).toBe(status);
    expect(await created(request.externalId)).toBe(1);
  });

  test('burns_key_after_error answers the error for ever, and made nothing', async () => {
    await become('burns_key_after_error');
    const request = createBody();
    await custody.client.control('POST', '/faults', {
      kind: 'error_before',
      status: 500,
      externalId: request.externalId,
      count: 1,
    });
    expect((await custody.client.create(request)).status).toBe(500);
    expect(await custody.client.create(request)).toMatchObject({ status: 500, replayed: true });
    expect(await created(request.externalId)).toBe(0);
  });

  test('no_permanent_reference pays a second time under another key', async () => {
    await become('no_permanent_reference');
    const request = createBody();
    await custody.client.create(request);
    expect((await custody.client.create(request, { key: randomUUID() })).status).toBe(201);
    expect(await custody.client.find(request.externalId)).toHaveLength(2);
  });

  test('no_lookup_by_reference still lists every transfer with its reference', async () => {
    await become('no_lookup_by_reference');
    const request = createBody();
    const from = new Date(Date.now() - 1_000).toISOString();
    await custody.client.create(request);
    expect((await custody.client.get(`/v1/transfers?externalId=${request.externalId}`)).status).toBe(400);
    const listed = await custody.client.get(`/v1/transfers?from=${from}&limit=500`);
    expect(listed.body).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ externalId: request.externalId })]),
    });
  });

  test('lookup_lags shows a transfer only when it is older than the lag', async () => {
    await become('lookup_lags', { readLagMs: 60_000 });
    const request = createBody();
    const made = body(await custody.client.create(request));
    expect(await custody.client.find(request.externalId)).toEqual([]);
    expect((await custody.client.get(`/v1/transfers/${made.id}`)).status).toBe(404);
    await custody.client.control('POST', '/clock', { offsetMs: 61_000 });
    expect(await custody.client.find(request.externalId)).toHaveLength(1);
  });

  test('validates_first refuses a repeated request although its transfer exists', async () => {
    await become('validates_first');
    const request = createBody();
    await custody.client.create(request);
    await custody.client.control('POST', '/faults', { kind: 'reject', externalId: request.externalId, count: 1 });
    const again = await custody.client.create(request);
    expect(body(again)).toMatchObject({ code: 'address_rejected', externalId: request.externalId });
    expect(await custody.client.find(request.externalId)).toMatchObject([{ failureCode: null }]);
  });

  test('drops_refusals leaves nothing under the reference of what it refused', async () => {
    await become('drops_refusals');
    const request = createBody();
    await custody.client.control('POST', '/faults', { kind: 'reject', externalId: request.externalId, count: 1 });
    expect((await custody.client.create(request)).status).toBe(422);
    expect(await custody.client.find(request.externalId)).toEqual([]);
    expect((await custody.client.create(request)).status).toBe(201);
  });

  test('each declares what it promises', async () => {
    await become('validates_first', { readLagMs: 5 });
    expect((await custody.client.get('/v1/capabilities')).body).toMatchObject({
      profile: 'validates_first',
      duplicateCheckFirst: false,
      referenceKept: true,
      readLagMs: 5,
      keyWindowSeconds: 86_400,
    });
  });
});

test.each(['update transfer_log set kind = $$x$$', 'delete from transfer_log', 'truncate transfer_log'])(
  'nobody can reset the log: %s',
  async (sql) => {
    const client = new pg.Client(custody.database.url);
    await client.connect();
    await expect(client.query(sql)).rejects.toThrow('append-only');
    await client.end();
  },
);

test('the list is read in pages by creation time, each transfer once', async () => {
  const from = new Date().toISOString();
  const requests = await Promise.all(
    Array.from({ length: 7 }, async () => {
      const request = createBody();
      await custody.client.create(request);
      return request.externalId;
    }),
  );
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body: page } = await custody.client.get(
      `/v1/transfers?from=${from}&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    const parsed: { data: { externalId: string }[]; nextCursor: string | null } = JSON.parse(JSON.stringify(page));
    seen.push(...parsed.data.map(({ externalId }) => externalId));
    cursor = parsed.nextCursor;
  }
  expect(seen.toSorted()).toEqual(requests.toSorted());
});
