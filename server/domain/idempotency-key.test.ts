import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseIdempotencyKey, parseKeyHeader, type RequestMeaning, sameMeaning } from '#domain/idempotency-key.ts';

const V4 = '5c1f3f0e-8f0b-4d7a-9a3e-2b6c7d8e9f01';
const V7 = '0193b5a0-7d3f-7c1e-9a51-3d8f1b2c4e6f';

describe('a key', () => {
  test.each([V4, V7, V4.toUpperCase()])('%s is read, in lower case', (text) => {
    expect(parseIdempotencyKey(text)).toEqual({ kind: 'ok', key: text.toLowerCase() });
  });

  test.each([
    ['', 'empty'],
    ['00000000-0000-0000-0000-000000000000', 'version_not_accepted'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'version_not_accepted'],
    ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'version_not_accepted'],
    ['5c1f3f0e-8f0b-3d7a-9a3e-2b6c7d8e9f01', 'version_not_accepted'],
    ['5c1f3f0e-8f0b-5d7a-9a3e-2b6c7d8e9f01', 'version_not_accepted'],
    ['5c1f3f0e-8f0b-6d7a-9a3e-2b6c7d8e9f01', 'version_not_accepted'],
    ['5c1f3f0e-8f0b-8d7a-9a3e-2b6c7d8e9f01', 'version_not_accepted'],
    ['5c1f3f0e-8f0b-4d7a-7a3e-2b6c7d8e9f01', 'version_not_accepted'],
    ['5c1f3f0e-8f0b-4d7a-ca3e-2b6c7d8e9f01', 'version_not_accepted'],
    ['919108f7-52d1-4320-9bac-f847db4148a8', 'published_example'],
    ['8E03978E-40D5-43E8-BC93-6894A57F9324', 'published_example'],
    ['00000000-0000-4000-8000-000000000000', 'published_example'],
    [V4.replaceAll('-', ''), 'not_a_uuid'],
    [`{${V4}}`, 'not_a_uuid'],
    [`urn:uuid:${V4}`, 'not_a_uuid'],
    [` ${V4}`, 'not_a_uuid'],
    [`${V4.slice(0, -1)}\u0131`, 'not_ascii'],
    [`${V4}\u200b`, 'not_ascii'],
    ['x'.repeat(300), 'too_long'],
  ])('%j is malformed: %s', (text, reason) => {
    expect(parseIdempotencyKey(text)).toEqual({ kind: 'malformed', reason });
  });

  test('every generated key of version 4 or 7 is read in any letter case', () => {
    fc.assert(
      fc.property(fc.uuid({ version: [4, 7] }), (uuid) => {
        expect(parseIdempotencyKey(uuid.toUpperCase())).toEqual({ kind: 'ok', key: uuid });
      }),
    );
  });
});

describe('the key header, EC12', () => {
  test.each([V4, `"${V4}"`, ` ${V4} `, `"${V4.toUpperCase()}"`])('%j is the same key, quoted or bare', (raw) => {
    expect(parseKeyHeader(raw)).toEqual({ kind: 'ok', key: V4 });
  });

  test('one value in a list is one value', () => {
    expect(parseKeyHeader([V4])).toEqual({ kind: 'ok', key: V4 });
  });

  test.each([
    ['', 'empty'],
    ['""', 'empty'],
    [`${V4}, ${V7}`, 'two_values'],
    [`${V4},${V4}`, 'two_values'],
    [`"${V4}", "${V7}"`, 'two_values'],
    [[V4, V4], 'two_values'],
    [`'${V4}'`, 'not_a_uuid'],
    [`"${V4}`, 'not_a_uuid'],
    [`"${V4}";a=1`, 'not_a_uuid'],
    ['k'.repeat(300), 'too_long'],
    ['schlüssel', 'not_ascii'],
  ])('%j is malformed: %s', (raw, reason) => {
    expect(parseKeyHeader(raw)).toEqual({ kind: 'malformed', reason });
  });

  test('no header is a missing key', () => {
    expect(parseKeyHeader(undefined)).toEqual({ kind: 'missing' });
    expect(parseKeyHeader([])).toEqual({ kind: 'missing' });
  });
});

describe('the meaning of a request', () => {
  const meaning: RequestMeaning = {
    asset: 'USDC',
    network: 'ethereum',
    address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    memo: null,
    amountMinor: 1_000_000n,
    feeMode: 'on_top',
  };

  test('an equal request is the same', () => {
    expect(sameMeaning(meaning, { ...meaning })).toEqual({ same: true });
  });

  test.each<[keyof RequestMeaning, Partial<RequestMeaning>]>([
    ['asset', { asset: 'USDT' }],
    ['network', { network: 'tron' }],
    ['address', { address: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359' }],
    ['memo', { memo: '0' }],
    ['amountMinor', { amountMinor: 1_000_001n }],
    ['feeMode', { feeMode: 'from_amount' }],
  ])('EC8, EC10: another %s is another request, and the field is named', (field, change) => {
    expect(sameMeaning(meaning, { ...meaning, ...change })).toEqual({ same: false, fields: [field] });
  });

  test('no memo and an empty memo are different', () => {
    expect(sameMeaning(meaning, { ...meaning, memo: '' })).toEqual({ same: false, fields: ['memo'] });
  });

  test('two requests are the same exactly when every field is equal', () => {
    const few = fc.record<RequestMeaning>({
      asset: fc.constantFrom('USDC', 'USDT'),
      network: fc.constantFrom('ethereum', 'tron'),
      address: fc.constantFrom('a', 'b'),
      memo: fc.constantFrom(null, '', '7'),
      amountMinor: fc.constantFrom(1n, 2n, 2n ** 64n),
      feeMode: fc.constantFrom('on_top', 'from_amount'),
    });
    fc.assert(
      fc.property(few, few, (first, second) => {
        const text = (one: RequestMeaning) =>
          JSON.stringify({ ...one, amountMinor: one.amountMinor.toString() }, Object.keys(one).sort());
        expect(sameMeaning(first, second).same).toBe(text(first) === text(second));
        expect(sameMeaning(second, first)).toEqual(sameMeaning(first, second));
      }),
      { numRuns: 500 },
    );
  });
});
