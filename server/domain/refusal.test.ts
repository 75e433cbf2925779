import { expect, test } from 'vitest';
import { isRefusalCode, REFUSALS, refuse } from '#domain/refusal.ts';

test('every refusal is a sentence for a customer, with nothing of the machine in it', () => {
  for (const [code, rule] of Object.entries(REFUSALS)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(rule.message, code).toMatch(/^[A-Z].*\.$/);
    expect(rule.message, code).not.toMatch(/sql|stack|undefined|null|error|constraint|_/i);
  }
});

test('exactly the refusals decided under the customer’s lock are kept under the key', () => {
  const stored = Object.entries(REFUSALS).flatMap(([code, rule]) => (rule.stored ? [code] : []));
  expect(stored.sort()).toEqual([
    'address_not_allowed',
    'address_on_hold',
    'address_own_deposit',
    'customer_frozen',
    'fee_changed',
    'given_up',
    'insufficient_funds',
    'limit_exceeded',
    'look_alike',
    'pair_disabled',
    'pair_paused',
  ]);
  for (const rule of Object.values(REFUSALS)) if (rule.stored) expect(rule.httpStatus).toBe(422);
});

test('EC8, EC11, EC12: the key’s own refusals have their statuses', () => {
  expect(REFUSALS.idempotency_key_missing.httpStatus).toBe(400);
  expect(REFUSALS.idempotency_key_malformed.httpStatus).toBe(400);
  expect(REFUSALS.idempotency_key_conflicting.httpStatus).toBe(400);
  expect(REFUSALS.idempotency_key_reused.httpStatus).toBe(422);
});

test('a code is known by its own name only', () => {
  expect(isRefusalCode('look_alike')).toBe(true);
  for (const text of ['', 'toString', 'constructor', 'LOOK_ALIKE']) expect(isRefusalCode(text)).toBe(false);
  expect(refuse('look_alike', { fields: ['amount'] })).toEqual({ code: 'look_alike', fields: ['amount'] });
});
