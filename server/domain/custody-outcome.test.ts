import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CustodyAnswerContract,
  type CustodyExchange,
  custodyClockMs,
  sortAnswer,
} from '#domain/custody-outcome.ts';
import type { ExpectedTransfer } from '#domain/custody-transfer.ts';

const EXPECTED: ExpectedTransfer = {
  reference: '0193b5a0-7d3f-7c1e-9a51-3d8f1b2c4e6f',
  asset: 'USDC',
  network: 'ethereum',
  address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  memo: null,
  amountMinor: 12_500_000n,
  decimals: 6,
};

const CONTRACT: CustodyAnswerContract = {
  finalReasons: [{ status: 422, code: 'address_rejected' }],
  laterReasons: [
    { status: 429, code: 'rate_limited', scope: 'everything' },
    { status: 401, code: 'unauthorized', scope: 'everything' },
    { status: 403, code: 'forbidden', scope: 'everything' },
    { status: 503, code: 'maintenance', scope: 'everything' },
    { status: 422, code: 'insufficient_hot_wallet_funds', scope: 'asset' },
  ],
};

const TRANSFER = {
  id: 'tr_1',
  externalId: EXPECTED.reference,
  asset: 'USDC',
  network: 'ethereum',
  address: EXPECTED.address,
  memo: null,
  amount: '12.5',
  status: 'accepted',
};

function answer(status: number, body: unknown, headers: Record<string, string> = {}): CustodyExchange {
  const bodyText = typeof body === 'string' ? body : JSON.stringify(body);
  return { bytesHandedToConnectedSocket: true, response: { status, headers, bodyText, complete: true } };
}

const sort = (exchange: CustodyExchange) => sortAnswer(exchange, EXPECTED, CONTRACT);

describe('not sent', () => {
  test.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'AbortError', 'UND_ERR_CONNECT_TIMEOUT', 'ECONNRESET'])(
    'EC45, CU01 d-e: %s before a byte was handed over is not sent',
    (name) => {
      expect(sort({ bytesHandedToConnectedSocket: false, error: { name, message: '' } })).toEqual({
        kind: 'not_sent',
        reason: name,
      });
    },
  );

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'AbortError', 'TimeoutError'])(
    'EC46, CU01 a-b: %s after a byte was handed over is in doubt, whatever its name',
    (name) => {
      expect(sort({ bytesHandedToConnectedSocket: true, error: { name, message: '' } })).toMatchObject({
        kind: 'in_doubt',
        reason: 'no_answer',
      });
    },
  );
});

describe('accepted', () => {
  test.each([200, 201])('%d with our own transfer is accepted', (status) => {
    expect(sort(answer(status, TRANSFER))).toMatchObject({
      kind: 'accepted',
      transfer: { id: 'tr_1' },
      replayed: false,
    });
  });

  test('a replay says so', () => {
    const outcome = sort(answer(200, { ...TRANSFER, status: 'broadcast' }, { 'idempotent-replayed': 'true' }));
    expect(outcome).toMatchObject({ kind: 'accepted', replayed: true });
  });

  test.each(['12.5', '12.50', '12.500000', '012.5', '12.50000000'])(
    'DB19: the amount %s is the same number',
    (amount) => {
      expect(sort(answer(201, { ...TRANSFER, amount })).kind).toBe('accepted');
    },
  );

  test('AD02: the checksum spelling of the address is the same address', () => {
    const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(sort(answer(201, { ...TRANSFER, address })).kind).toBe('accepted');
  });

  test.each([
    ['reference', { externalId: '0193b5a0-7d3f-7c1e-9a51-3d8f1b2c4e6e' }],
    ['asset', { asset: 'USDT' }],
    ['network', { network: 'tron' }],
    ['address', { address: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359' }],
    ['memo', { memo: '0' }],
    ['amount', { amount: '12.500001' }],
    ['amount', { amount: '12500000' }],
    ['amount', { amount: '1.25e1' }],
    ['amount', { amount: '12.5000001' }],
    ['amount', { amount: '' }],
  ])('EC53: an answer with another %s is not our answer', (field, change) => {
    expect(sort(answer(201, { ...TRANSFER, ...change }))).toEqual({
      kind: 'in_doubt',
      reason: 'transfer_differs',
      detail: field,
      transferId: 'tr_1',
    });
  });

  test('AM10: an amount as a bare number is not read at all', () => {
    const body = JSON.stringify(TRANSFER).replace('"12.5"', '12.5');
    expect(sort(answer(201, body))).toMatchObject({ kind: 'in_doubt', reason: 'odd_body' });
  });

  test.each(['failed', 'refused', 'cancelled', ''])('a transfer shown as %j is looked up, not believed', (status) => {
    expect(sort(answer(200, { ...TRANSFER, status }))).toMatchObject({ kind: 'in_doubt', reason: 'transfer_not_live' });
  });
});

describe('EC64: odd bodies under 2xx are in doubt', () => {
  const { id: _id, ...withoutId } = TRANSFER;
  test.each([
    ['HTML', '<html><body>OK</body></html>'],
    ['nothing', ''],
    ['cut JSON', JSON.stringify(TRANSFER).slice(0, -5)],
    ['null', 'null'],
    ['a list', JSON.stringify([TRANSFER])],
    ['a number as id', JSON.stringify({ ...TRANSFER, id: 7 })],
    ['no id', JSON.stringify(withoutId)],
    ['an empty id', JSON.stringify({ ...TRANSFER, id: '' })],
  ])('%s', (_name, body) => {
    expect(sort(answer(200, body))).toMatchObject({ kind: 'in_doubt', reason: 'odd_body' });
  });

  test('a body that stalled is in doubt even where it reads as ours', () => {
    const response = { status: 201, headers: {}, bodyText: JSON.stringify(TRANSFER), complete: false };
    const outcome = sort({ bytesHandedToConnectedSocket: true, response });
    expect(outcome).toMatchObject({ kind: 'in_doubt', reason: 'body_incomplete' });
  });
});

describe('refused', () => {
  const problem = { code: 'address_rejected', externalId: EXPECTED.reference, detail: 'sanctioned' };

  test('CU18: a listed reason that echoes our reference is a refusal', () => {
    expect(sort(answer(422, problem))).toEqual({ kind: 'refused', code: 'address_rejected', detail: 'sanctioned' });
  });

  test.each([
    ['without our reference', 422, { code: 'address_rejected' }, 'refusal_without_reference'],
    ["with somebody else's reference", 422, { ...problem, externalId: 'other' }, 'refusal_without_reference'],
    ['with another status', 400, problem, 'unlisted_answer'],
    ['with a reason off the list', 422, { ...problem, code: 'kyc_required' }, 'unlisted_answer'],
    ['with a reason that reads like an inherited name', 422, { ...problem, code: 'constructor' }, 'unlisted_answer'],
    ['as 404', 404, { ...problem, code: 'not_found' }, 'unlisted_answer'],
  ])('%s it is in doubt', (_name, status, body, reason) => {
    expect(sort(answer(status, body))).toMatchObject({ kind: 'in_doubt', reason });
  });
});

describe('later', () => {
  test('EC65: 429 waits as long as custody asks', () => {
    expect(sort(answer(429, { code: 'rate_limited' }, { 'retry-after': '7' }))).toEqual({
      kind: 'later',
      code: 'rate_limited',
      scope: 'everything',
      retryAfterMs: 7000,
    });
  });

  test('a date in Retry-After counts from custody’s own clock', () => {
    const headers = { date: 'Mon, 30 Nov 2026 12:00:00 GMT', 'retry-after': 'Mon, 30 Nov 2026 12:00:30 GMT' };
    expect(sort(answer(503, { code: 'maintenance' }, headers))).toMatchObject({ kind: 'later', retryAfterMs: 30_000 });
    expect(sort(answer(503, { code: 'maintenance' }, { 'retry-after': 'soon' }))).toMatchObject({ retryAfterMs: null });
  });

  test.each([
    [401, 'unauthorized', 'everything'],
    [403, 'forbidden', 'everything'],
    [422, 'insufficient_hot_wallet_funds', 'asset'],
  ])('EC56, EC66: %d %s promises that nothing was made', (status, code, scope) => {
    expect(sort(answer(status, { code }))).toEqual({ kind: 'later', code, scope, retryAfterMs: null });
  });

  test.each([429, 401, 403, 503])('%d without the contract’s word is a proxy’s answer and in doubt', (status) => {
    expect(sort(answer(status, '<html></html>')).kind).toBe('in_doubt');
    expect(sort(answer(status, { code: 'something_else' })).kind).toBe('in_doubt');
  });
});

describe('in doubt', () => {
  test.each([
    ['EC62', 500, { code: 'internal_error' }, 'server_error'],
    ['EC63', 502, '<html>Bad Gateway</html>', 'server_error'],
    ['EC63', 504, '', 'server_error'],
    ['EC67', 307, '', 'redirect'],
    ['EC67', 308, '', 'redirect'],
    ['EC59, CU08', 409, { code: 'in_progress' }, 'in_progress'],
    ['EC60', 422, { code: 'idempotency_key_reused' }, 'idempotency_key_reused'],
    ['EC60', 409, { code: 'idempotency_key_reused' }, 'idempotency_key_reused'],
    ['CU06', 409, { code: 'duplicate_reference' }, 'duplicate_reference'],
    ['CU06', 400, { code: 'duplicate_reference' }, 'duplicate_reference'],
    ['EC50', 410, { code: 'expired' }, 'expired'],
    ['', 400, { code: 'invalid_request' }, 'unlisted_answer'],
    ['', 418, 'teapot', 'odd_body'],
    ['', 100, '', 'odd_body'],
  ])('%s: %d %j', (_case, status, body, reason) => {
    expect(sort(answer(status, body))).toMatchObject({ kind: 'in_doubt', reason });
  });

  test('CU12: a duplicate names the transfer to look up, and proves nothing by it', () => {
    const outcome = sort(answer(409, { code: 'duplicate_reference', transferId: 'tr_9' }));
    expect(outcome).toMatchObject({ kind: 'in_doubt', transferId: 'tr_9' });
  });

  test('a duplicate is in doubt even where a contract lists it as final or as later', () => {
    const careless: CustodyAnswerContract = {
      finalReasons: [{ status: 409, code: 'duplicate_reference' }],
      laterReasons: [{ status: 409, code: 'in_progress', scope: 'request' }],
    };
    for (const code of ['duplicate_reference', 'in_progress']) {
      const body = { code, externalId: EXPECTED.reference };
      expect(sortAnswer(answer(409, body), EXPECTED, careless).kind).toBe('in_doubt');
    }
  });
});

test('whatever comes back, only our own transfer is accepted, and only an unsent request is not sent', () => {
  const exchange = fc.record({
    bytesHandedToConnectedSocket: fc.boolean(),
    response: fc.option(
      fc.record({
        status: fc.oneof(fc.integer({ min: 100, max: 599 }), fc.constantFrom(200, 201, 409, 422, 429, 503)),
        headers: fc.constant({}),
        bodyText: fc.oneof(
          fc.string(),
          fc.json(),
          fc.constant(JSON.stringify(TRANSFER)),
          fc.constant('{"code":"maintenance"}'),
        ),
        complete: fc.boolean(),
      }),
      { nil: undefined },
    ),
  });
  fc.assert(
    fc.property(exchange, ({ bytesHandedToConnectedSocket, response }) => {
      const outcome = sort({ bytesHandedToConnectedSocket, ...(response === undefined ? {} : { response }) });
      expect(outcome.kind === 'not_sent').toBe(response === undefined && !bytesHandedToConnectedSocket);
      if (outcome.kind === 'accepted') expect(response?.bodyText).toBe(JSON.stringify(TRANSFER));
      if (outcome.kind === 'refused') expect(response?.bodyText).toContain(EXPECTED.reference);
    }),
    { numRuns: 1000 },
  );
});

test('custody’s clock is read from the Date of its answers, or not at all', () => {
  expect(custodyClockMs({ date: 'Thu, 01 Jan 1970 00:00:01 GMT' })).toBe(1000);
  expect(custodyClockMs({})).toBeNull();
  expect(custodyClockMs({ date: 'yesterday' })).toBeNull();
});
