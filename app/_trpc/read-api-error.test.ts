import { expect, test } from 'vitest';
import { readApiError } from './read-api-error.ts';

const answer = (httpStatus: number, code: string) => ({ data: { httpStatus, refusal: { code, message: 'Said.' } } });

test('what our server refused is an answer', () => {
  expect(readApiError(answer(409, 'changed_meanwhile'))).toMatchObject({
    kind: 'answered',
    httpStatus: 409,
    refusal: { code: 'changed_meanwhile', message: 'Said.' },
  });
  expect(readApiError(answer(503, 'service_unavailable'))).toMatchObject({ kind: 'answered', httpStatus: 503 });
});

test.each([
  ['a connection that was cut', new TypeError('fetch failed')],
  ['a page of a proxy', { message: 'Unexpected token <', data: null }],
  ['our server, which lost its database on the way', answer(503, 'outcome_unknown')],
])('%s says nothing about what became of it', (_who, thrown) => {
  expect(readApiError(thrown)).toEqual({ kind: 'silent' });
});
