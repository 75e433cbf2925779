import { expect, test } from 'vitest';
import {
  isTerminal,
  isUuidText,
  toCustomerId,
  toIdempotencyKey,
  toWithdrawalId,
  WITHDRAWAL_STATUSES,
} from '#domain/withdrawal.ts';

test('five statuses are ends, and the six others are not', () => {
  const ends = WITHDRAWAL_STATUSES.filter(isTerminal);
  expect(ends).toEqual(['completed', 'failed', 'cancelled', 'rejected', 'refused']);
});

test('only a lower-case UUID becomes an id', () => {
  const uuid = '0193b5a0-7d3f-7c1e-9a51-3d8f1b2c4e6f';
  expect(toWithdrawalId(uuid)).toBe(uuid);
  expect(toIdempotencyKey(uuid)).toBe(uuid);
  expect(isUuidText(uuid.toUpperCase())).toBe(false);
  for (const text of ['', 'wd-1', uuid.toUpperCase(), `${uuid} `, uuid.slice(1), `${uuid}\n`]) {
    expect(() => toWithdrawalId(text), text).toThrow('invariant broken');
    expect(() => toIdempotencyKey(text), text).toThrow('invariant broken');
  }
  expect(() => toCustomerId('')).toThrow('invariant broken');
  expect(toCustomerId('c1')).toBe('c1');
});
