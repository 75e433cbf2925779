import { expect, test } from 'vitest';
import { type RefusalEffect, refusalEffect } from './refusal-effect.ts';

test.each<[string, number, RefusalEffect]>([
  ['insufficient_funds', 422, 'kept'],
  ['look_alike', 422, 'kept'],
  ['fee_changed', 422, 'kept'],
  ['given_up', 422, 'kept'],
  ['amount_malformed', 400, 'not_kept'],
  ['idempotency_key_reused', 422, 'not_kept'],
  ['UNPROCESSABLE_CONTENT', 422, 'not_kept'],
  ['unauthorized', 401, 'withheld'],
  ['step_up_required', 403, 'withheld'],
  ['step_up_wrong', 403, 'withheld'],
  ['step_up_locked', 429, 'withheld'],
  ['rate_limited', 429, 'withheld'],
  ['TOO_MANY_REQUESTS', 429, 'withheld'],
  ['service_unavailable', 503, 'withheld'],
  ['outcome_unknown', 503, 'unknown'],
  ['INTERNAL_SERVER_ERROR', 500, 'unknown'],
  ['BAD_GATEWAY', 502, 'unknown'],
  ['TIMEOUT', 408, 'unknown'],
])('%s with %i is %s', (code, httpStatus, effect) => {
  const refusal = { code, message: '', detail: null, fields: [], withdrawalId: null, reference: null };
  expect(refusalEffect({ kind: 'answered', httpStatus, refusal })).toBe(effect);
});

test('silence is unknown', () => {
  expect(refusalEffect({ kind: 'silent' })).toBe('unknown');
});
