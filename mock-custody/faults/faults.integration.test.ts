import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createBody, type Seen } from '../test-support/custody-client.ts';
import { type CustodyUnderTest, startCustodyUnderTest } from '../test-support/custody-under-test.ts';
import { waitUntil } from '../test-support/wait-until.ts';

let custody: CustodyUnderTest;
beforeAll(async () => {
  custody = await startCustodyUnderTest();
});
afterAll(() => custody.close());
afterEach(async () => {
  await custody.client.control('DELETE', '/faults');
});

async function kinds(externalId: string): Promise<string[]> {
  return (await custody.client.log(externalId)).map(({ kind }) => kind);
}

async function created(externalId: string): Promise<number> {
  return (await kinds(externalId)).filter((kind) => kind === 'created').length;
}

function text(seen: Seen): string {
  return seen.status === 'broken' ? '' : seen.text;
}

describe('a fault of a create request shows its own face, and makes a transfer or not', () => {
  test.each([
    { kind: 'close_before_reading', status: 'broken', transfers: 0 },
    { kind: 'execute_then_drop', status: 'broken', transfers: 1 },
    { kind: 'slow', delayMs: 300, status: 201, transfers: 1 },
    { kind: 'body_stalls', status: 'broken', transfers: 1 },
    { kind: 'error_before', fault: { status: 500 }, status: 500, transfers: 0 },
    { kind: 'error_before', fault: { status: 502 }, status: 502, transfers: 0 },
    { kind: 'error_before', fault: { status: 504 }, status: 504, transfers: 0 },
    { kind: 'error_after', fault: { status: 500 }, status: 500, transfers: 1 },
    { kind: 'error_after', fault: { status: 502 }, status: 502, transfers: 1 },
    { kind: 'error_after', fault: { status: 504 }, status: 504, transfers: 1 },
    { kind: 'html_200', status: 200, transfers: 1 },
    { kind: 'truncated_json', status: 201, transfers: 1 },
    { kind: 'rate_limit', status: 429, transfers: 0 },
    { kind: 'unauthorized', status: 401, transfers: 0 },
    { kind: 'forbidden', status: 403, transfers: 0 },
    { kind: 'refuse_503', status: 503, transfers: 0 },
    { kind: 'reject', status: 422, transfers: 0 },
    { kind: 'insufficient_funds', status: 422, transfers: 0 },
    { kind: 'odd_echo', status: 201, transfers: 1 },
  ])('$kind $fault: $status, transfers: $transfers', async ({ kind, fault, delayMs, status, transfers }) => {
    const request = createBody();
    await custody.client.control('POST', '/faults', {
      kind,
      externalId: request.externalId,
      count: 1,
      ...fault,
      ...(delayMs === undefined ? {} : { delayMs }),
    });
    const seen = await custody.client.create(request, { timeoutMs: 1_500 });
    expect(seen.status).toBe(status);
    expect(await created(request.externalId)).toBe(transfers);
    expect(await kinds(request.externalId)).toContain('fault');
    // Healed: the same bytes lead to one transfer in the end, unless the request was refused for good.
    const again = await custody.client.create(request);
    expect(await created(request.externalId)).toBe(kind === 'reject' ? 0 : 1);
    expect(again.status).toBe(kind === 'reject' ? 422 : transfers === 0 ? 201 : 200);
  });

  test('execute_late makes the transfer after the client has gone', async () => {
    const request = createBody();
    await custody.client.control('POST', '/faults', {
      kind: 'execute_late',
      externalId: request.externalId,
      count: 1,
      delayMs: 400,
    });
    expect((await custody.client.create(request, { timeoutMs: 100 })).status).toBe('broken');
    expect(await created(request.externalId)).toBe(0);
    await waitUntil('the late execution', async () => (await created(request.externalId)) === 1);
  });

  test('a late execution past the not-after makes nothing', async () => {
    const request = createBody({ notAfter: new Date(Date.now() + 150).toISOString() });
    await custody.client.control('POST', '/faults', {
      kind: 'execute_late',
      externalId: request.externalId,
      count: 1,
      delayMs: 400,
    });
    await custody.client.create(request, { timeoutMs: 100 });
    await waitUntil('it was tried and found expired', async () => {
      const { body } = await custody.client.control('GET', '/requests');
      const seen: { data: { externalId: string | null; outcome: string }[] } = JSON.parse(JSON.stringify(body));
      return seen.data.some((entry) => entry.externalId === request.externalId && entry.outcome === 'expired');
    });
    expect(await created(request.externalId)).toBe(0);
  });

  test('odd_echo names another address than was asked', async () => {
    const request = createBody();
    await custody.client.control('POST', '/faults', { kind: 'odd_echo', externalId: request.externalId });
    expect(text(await custody.client.create(request))).toContain('somebody-else');
  });

  test('a proxy at the edge that repeats a request three times makes one transfer', async () => {
    const request = createBody();
    await custody.client.control('POST', '/faults', {
      kind: 'edge_repeats',
      externalId: request.externalId,
      times: 3,
      delayMs: 20,
    });
    expect((await custody.client.create(request)).status).toBe(201);
    await waitUntil('all copies arrived', async () => {
      const { body } = await custody.client.control('GET', '/requests');
      const seen: { data: { externalId: string | null }[] } = JSON.parse(JSON.stringify(body));
      return seen.data.filter(({ externalId }) => externalId === request.externalId).length === 4;
    });
    expect(await created(request.externalId)).toBe(1);
  });

  test('webhook_before_answer lets the event overtake the answer', async () => {
    const request = createBody();
    await custody.client.control('POST', '/faults', { kind: 'webhook_before_answer', externalId: request.externalId });
    await custody.client.create(request);
    expect(custody.receiver.events.some(({ externalId }) => externalId === request.externalId)).toBe(true);
  });

  test('refuse_connection ends by itself', async () => {
    await custody.client.control('POST', '/faults', { kind: 'refuse_connection', forMs: 400 });
    await waitUntil('nobody listens', async () => (await custody.client.create(createBody())).status === 'broken');
    await waitUntil('somebody listens', async () => (await custody.client.create(createBody())).status === 201);
  });
});

describe('a fault of a look-up', () => {
  test.each([
    ['lookup_404', {}],
    ['lookup_lag', { delayMs: 60_000 }],
  ])('%s hides a transfer that exists, by reference and by id', async (kind, settings) => {
    const request = createBody();
    const made = JSON.parse(text(await custody.client.create(request)));
    await custody.client.control('POST', '/faults', {
      kind,
      externalId: request.externalId,
      forMs: 60_000,
      ...settings,
    });
    expect(await custody.client.find(request.externalId)).toEqual([]);
    expect((await custody.client.get(`/v1/transfers/${made.id}`)).status).toBe(404);
    await custody.client.control('DELETE', '/faults');
    expect(await custody.client.find(request.externalId)).toHaveLength(1);
  });

  test('lookup_404 for a time ends after it', async () => {
    const request = createBody();
    await custody.client.create(request);
    await custody.client.control('POST', '/faults', { kind: 'lookup_404', forMs: 300 });
    expect(await custody.client.find(request.externalId)).toEqual([]);
    await waitUntil('it is shown again', async () => (await custody.client.find(request.externalId)).length === 1);
  });

  test('lookup_error answers 500', async () => {
    await custody.client.control('POST', '/faults', { kind: 'lookup_error' });
    expect((await custody.client.get('/v1/transfers?externalId=x')).status).toBe(500);
  });
});

describe('how often a fault strikes', () => {
  test('a count is used up, by requests at the same moment too', async () => {
    await custody.client.control('POST', '/faults', { kind: 'rate_limit', count: 3 });
    const seen = await Promise.all(Array.from({ length: 8 }, () => custody.client.create(createBody())));
    expect(seen.filter(({ status }) => status === 429)).toHaveLength(3);
  });

  test('a share strikes about that often, and the same requests for the same seed', async () => {
    const strikes = async (): Promise<boolean[]> => {
      await custody.client.control('DELETE', '/faults');
      await custody.client.control('POST', '/faults', { kind: 'rate_limit', share: 0.5, seed: 7 });
      const struck: boolean[] = [];
      for (let n = 0; n < 20; n += 1) struck.push((await custody.client.create(createBody())).status === 429);
      return struck;
    };
    const first = await strikes();
    expect(await strikes()).toEqual(first);
    expect(first.filter(Boolean).length).toBeGreaterThan(4);
    expect(first.filter(Boolean).length).toBeLessThan(16);
  });

  test('an unknown kind or setting is refused', async () => {
    expect((await custody.client.control('POST', '/faults', { kind: 'magic' })).status).toBe(400);
    expect((await custody.client.control('POST', '/faults', { kind: 'slow', delay: 5 })).status).toBe(400);
  });
});
