import { expect, test } from 'vitest';
import { readApiError, readReference } from './read-api-error.ts';

test('an error with our shape is an answer and carries its refusal', () => {
  const error = Object.assign(new Error('no'), {
    data: {
      httpStatus: 422,
      requestId: 'r1',
      refusal: { code: 'insufficient_funds', message: 'Not enough.', withdrawalId: 'w1' },
    },
  });
  expect(readApiError(error)).toEqual({
    kind: 'answered',
    httpStatus: 422,
    refusal: {
      code: 'insufficient_funds',
      message: 'Not enough.',
      detail: null,
      fields: [],
      withdrawalId: 'w1',
      reference: 'r1',
    },
  });
});

test('an answer without a refusal falls back to the code and message of the error', () => {
  const error = Object.assign(new Error('gone'), { data: { httpStatus: 404, code: 'NOT_FOUND' } });
  expect(readApiError(error)).toMatchObject({ httpStatus: 404, refusal: { code: 'NOT_FOUND', message: 'gone' } });
});

test.each([
  new TypeError('Failed to fetch'),
  new SyntaxError('Unexpected token < in JSON'),
  Object.assign(new Error('x'), { data: undefined }),
  Object.assign(new Error('x'), { data: null }),
  Object.assign(new Error('x'), { data: '<html>' }),
  'text',
  null,
  undefined,
])('%s says nothing about whether the request arrived', (error) => {
  expect(readApiError(error)).toEqual({ kind: 'silent' });
});

test('the reference is the id of the answer, in its body or in its head', () => {
  const response = { headers: new Headers({ 'x-request-id': 'r2' }) };
  expect(readReference(Object.assign(new Error('x'), { data: { requestId: 'r1' }, meta: { response } }))).toBe('r1');
  expect(readReference(Object.assign(new SyntaxError('x'), { meta: { response } }))).toBe('r2');
});

test.each([new TypeError('Failed to fetch'), Object.assign(new Error('x'), { meta: {} }), null])(
  'where no answer came, there is no reference: %s',
  (error) => {
    expect(readReference(error)).toBeNull();
  },
);
