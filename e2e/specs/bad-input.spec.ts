import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { RefusalCode } from '#domain/refusal.ts';
import { expectRefusal, type RequestBody, requestWithdrawal } from '#e2e/support/api-call.ts';
import { freshAddress, usdcContract } from '#e2e/support/chain.ts';
import { openFundedCustomer } from '#e2e/support/customer.ts';
import { test } from '#e2e/support/customer-test.ts';
import { expectNothingPaid, expectPaidOnce } from '#e2e/support/oracle.ts';
import { stack } from '#e2e/support/running-stack.ts';

const SOUND = { asset: 'USDC', network: 'ethereum', memo: null, amount: '2', feeMode: 'on_top' } as const;
// Checksum as published in EIP-55, and the same with one letter in the other case.
const PUBLISHED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const WRONG_CHECKSUM = PUBLISHED.replace('5aA', '5aa');

const FIELD_CASES: readonly [field: string, value: unknown, code: RefusalCode, status: number][] = [
  ['amount', '', 'amount_malformed', 400],
  ['amount', '-1', 'amount_malformed', 400],
  ['amount', '+1', 'amount_malformed', 400],
  ['amount', '1e3', 'amount_malformed', 400],
  ['amount', '1,5', 'amount_malformed', 400],
  ['amount', '0x10', 'amount_malformed', 400],
  ['amount', 'NaN', 'amount_malformed', 400],
  ['amount', '٣', 'amount_malformed', 400],
  ['amount', 2, 'amount_malformed', 400],
  ['amount', '9'.repeat(10_000), 'amount_malformed', 400],
  ['amount', '9'.repeat(79), 'amount_too_large', 400],
  ['amount', '0', 'amount_not_positive', 400],
  ['amount', '0.000000', 'amount_not_positive', 400],
  ['amount', '2.0000001', 'amount_too_many_decimals', 400],
  ['amount', '0.999999', 'amount_below_minimum', 422],
  ['amount', '49.500001', 'insufficient_funds', 422],
  ['asset', 'DOGE', 'asset_unknown', 422],
  ['asset', null, 'asset_unknown', 422],
  ['network', 'bitcoin', 'network_unknown', 422],
  ['network', 'atlantis', 'network_unknown', 422],
  ['address', '', 'address_malformed', 400],
  ['address', "'; drop table withdrawals; --", 'address_malformed', 400],
  ['address', WRONG_CHECKSUM, 'address_checksum', 400],
  ['address', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'address_wrong_network', 400],
  ['address', `0x${'0'.repeat(40)}`, 'address_unusable', 422],
  ['memo', 'for lunch', 'memo_not_supported', 400],
  ['quotedFee', '0.4', 'fee_changed', 422],
  ['feeMode', 'nobody', 'request_malformed', 400],
  ['clickedAt', 'yesterday', 'request_malformed', 400],
  ['note', 'a field of tomorrow', 'unknown_field', 400],
  ['amountMinor', '2', 'unknown_field', 400],
];

test('every wrong field is refused with its own code, and reserves nothing', async ({ context, customer }) => {
  const address = freshAddress();
  const ask = (body: RequestBody) =>
    requestWithdrawal(context.request, { key: randomUUID(), body: { ...SOUND, address, ...body } });
  for (const [field, value, code, status] of FIELD_CASES) {
    const what = `${field} ${String(JSON.stringify(value)).slice(0, 40)}`;
    expectRefusal(await ask({ [field]: value }), code, status, what);
  }
  expectRefusal(await ask({ address: usdcContract() }), 'address_token_contract', 422, "the token's own contract");
  await expectNothingPaid({ customerId: customer.userId, address });
});

test('a key that is missing, malformed or doubled is refused before anything else', async ({ context, customer }) => {
  const address = freshAddress();
  const body = { ...SOUND, address };
  const missing = await requestWithdrawal(context.request, { key: null, body });
  expectRefusal(missing, 'idempotency_key_missing', 400, 'no key');
  const malformed = [
    'abc',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    `${randomUUID()}, ${randomUUID()}`,
  ];
  for (const key of malformed) {
    expectRefusal(await requestWithdrawal(context.request, { key, body }), 'idempotency_key_malformed', 400, key);
  }
  const two = await requestWithdrawal(context.request, {
    key: randomUUID(),
    body: { ...body, idempotencyKey: randomUUID() },
  });
  expectRefusal(two, 'idempotency_key_conflicting', 400, 'two keys');
  await expectNothingPaid({ customerId: customer.userId, address });
});

test('what is no request of ours is refused at the door', async ({ context, playwright, customer }) => {
  const address = freshAddress();
  const sound = { key: randomUUID(), body: { ...SOUND, address } };
  const send = (input: { body?: RequestBody | string; headers?: Record<string, string> }) =>
    requestWithdrawal(context.request, { ...sound, ...input });
  expectRefusal(await send({ body: '{"asset":' }), 'request_malformed', 400, 'half a body');
  expectRefusal(await send({ body: '[]' }), 'request_malformed', 400, 'a list');
  expectRefusal(await send({ body: ' '.repeat(40_000) }), 'request_malformed', 413, 'a long body');
  expectRefusal(await send({ headers: { 'content-type': 'text/plain' } }), 'request_malformed', 415, 'plain text');
  expectRefusal(await send({ headers: { origin: 'https://elsewhere.test' } }), 'forbidden', 403, 'a foreign page');
  const stranger = await playwright.request.newContext({ baseURL: stack.urls.web });
  expectRefusal(await requestWithdrawal(stranger, sound), 'unauthorized', 401, 'nobody');
  await stranger.dispose();
  await expectNothingPaid({ customerId: customer.userId, address });
});

test('a key names one request: repeated it answers again, changed or by another customer it is refused', async ({
  context,
  playwright,
  customer,
}) => {
  const order = { customerId: customer.userId, address: freshAddress(), amount: '3.5' };
  const key = randomUUID();
  const body = { ...SOUND, address: order.address, amount: order.amount };
  const first = await requestWithdrawal(context.request, { key, body });
  expect(first.status).toBe(200);
  const again = await requestWithdrawal(context.request, {
    key: key.toUpperCase(),
    body: { ...body, address: order.address.toLowerCase(), amount: '3.500' },
  });
  expect(again.withdrawal?.withdrawalId).toBe(first.withdrawal?.withdrawalId);
  expect(again.text).toContain('"replayed":true');

  const changed = await requestWithdrawal(context.request, { key, body: { ...body, amount: '3.6' } });
  expectRefusal(changed, 'idempotency_key_reused', 422, 'another amount');
  expect(changed.refusal?.fields).toEqual(['amount']);

  const stranger = await playwright.request.newContext({ baseURL: stack.urls.web });
  await openFundedCustomer(stranger);
  const stolen = await requestWithdrawal(stranger, { key, body });
  expectRefusal(stolen, 'idempotency_key_reused', 422, "another customer's key");
  expect(Object.keys(stolen.refusal ?? {}).sort()).toEqual(['code', 'message']);
  expect(stolen.text).not.toContain(first.withdrawal?.withdrawalId ?? 'no withdrawal');
  await stranger.dispose();

  const twin = await requestWithdrawal(context.request, { key: randomUUID(), body });
  expectRefusal(twin, 'look_alike', 422, 'the same again under a new key');
  expect(twin.refusal?.withdrawalId).toBe(first.withdrawal?.withdrawalId);
  await expectPaidOnce(order, { refusals: ['look_alike'] });
});
