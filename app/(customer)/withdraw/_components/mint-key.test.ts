import { webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import { mintKey } from './mint-key.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const withoutRandomUuid = {
  getRandomValues: (array: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(array),
};

test('the browser own randomUUID is used where it exists', () => {
  const key = mintKey({ ...withoutRandomUuid, randomUUID: () => '8F14E45F-CEEA-467F-9A36-DEDD4BEA2543' });
  expect(key).toBe('8f14e45f-ceea-467f-9a36-dedd4bea2543');
});

test('EC6: without randomUUID the key is still a version 4 UUID', () => {
  for (let round = 0; round < 200; round += 1) expect(mintKey(withoutRandomUuid)).toMatch(UUID_V4);
});

test.each([
  [0x00, '00000000-0000-4000-8000-000000000000'],
  [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
])('bytes of %i keep their bits outside version and variant', (byte, expected) => {
  expect(mintKey({ getRandomValues: (array) => array.fill(byte) })).toBe(expected);
});

test('a thousand keys are a thousand different keys', () => {
  expect(new Set(Array.from({ length: 1000 }, () => mintKey(withoutRandomUuid))).size).toBe(1000);
});
