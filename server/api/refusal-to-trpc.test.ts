import { TRPCError } from '@trpc/server';
import pg from 'pg';
import { expect, test } from 'vitest';
import { refuse } from '#domain/refusal.ts';
import {
  RefusalError,
  refusalOnTheWire,
  shapeRefusal,
  toRefusalError,
  toTrpcError,
} from '#server/api/refusal-to-trpc.ts';
import { withdrawalRequestSchema } from '#server/api/schemas.ts';
import { DatabaseError, type DatabaseTrouble } from '#server/db/database-error.ts';

const secret = Object.assign(new pg.DatabaseError('select * from secrets', 1, 'error'), {
  code: '23505',
  constraint: 'x',
});
const codeOf = (error: unknown, kind: 'query' | 'mutation') => toRefusalError(error, kind).refusal.code;

test.each([
  ['not_reached', 'service_unavailable'],
  ['try_again', 'service_unavailable'],
  ['refused', 'service_unavailable'],
  ['lock_timeout', 'outcome_unknown'],
  ['outcome_unknown', 'outcome_unknown'],
] as const)(
  'after %s a deed is answered with %s: only what was surely undone is said to be',
  (trouble: DatabaseTrouble, code) => {
    expect(codeOf(new DatabaseError(trouble, secret), 'mutation')).toBe(code);
    expect(codeOf(new DatabaseError(trouble, secret), 'query')).toBe('service_unavailable');
  },
);

test('a bug after a deed leaves its outcome unknown, never failed', () => {
  expect(codeOf(new TypeError('x is undefined'), 'mutation')).toBe('outcome_unknown');
  expect(codeOf(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: new Error('x') }), 'mutation')).toBe(
    'outcome_unknown',
  );
});

test('nothing of ours leaves with an error', () => {
  const error = toTrpcError(new DatabaseError('refused', secret), 'mutation');
  expect([error.code, error.message]).toEqual([
    'SERVICE_UNAVAILABLE',
    'We cannot take requests at this moment. Nothing was reserved.',
  ]);
});

test('a refusal carries only what it has', () => {
  expect(refusalOnTheWire(new RefusalError(refuse('not_found')))).toEqual({
    code: 'not_found',
    message: expect.any(String),
  });
  const full = new RefusalError(refuse('address_checksum', { fields: ['address'], detail: 'The third.' }), 'w1');
  expect(refusalOnTheWire(full)).toMatchObject({ fields: ['address'], detail: 'The third.', withdrawalId: 'w1' });
});

test.each([
  [{}, 'asset_unknown'],
  [{ asset: 'USDC', network: 'ethereum', address: '0x', amount: 1 }, 'amount_malformed'],
  [{ asset: 'USDC', network: 'ethereum', address: '0x', amount: '1', fee: '1', amounts: 2 }, 'unknown_field'],
  [{ asset: 'USDC', network: 'ethereum', address: '0x', amount: '1', clickedAt: -1 }, 'request_malformed'],
  [null, 'request_malformed'],
])('the shape %j is refused as %s', (body, code) => {
  const parsed = withdrawalRequestSchema.safeParse(body);
  expect(parsed.success ? null : shapeRefusal(parsed.error).code).toBe(code);
});
