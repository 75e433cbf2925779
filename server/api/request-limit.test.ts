import { expect, test } from 'vitest';
import { createRequestLimit } from '#server/api/request-limit.ts';

test('exactly the limit passes, one more does not, and the next minute begins anew', () => {
  let now = 0;
  const passes = createRequestLimit({ perMinute: 3, nowMs: () => now });
  expect(Array.from({ length: 4 }, () => passes('alice'))).toEqual([true, true, true, false]);
  expect(passes('bob')).toBe(true);
  now = 59_999;
  expect(passes('alice')).toBe(false);
  now = 60_000;
  expect(passes('alice')).toBe(true);
});
