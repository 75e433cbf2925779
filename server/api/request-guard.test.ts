import { expect, test } from 'vitest';
import { guardRequest } from '#server/api/request-guard.ts';

const ORIGIN = 'https://exchange.example';
const JSON_TYPE = { 'content-type': 'application/json', 'content-length': '2' };
const guard = (headers: Record<string, string>, method = 'POST') => guardRequest({ method, headers }, ORIGIN);
const status = (verdict: ReturnType<typeof guardRequest>) => (verdict === 'pass' ? 'pass' : verdict.httpStatus);

test.each([
  ['our own page', { ...JSON_TYPE, origin: ORIGIN, cookie: 'a=b' }, 'pass'],
  ['a program without a cookie', JSON_TYPE, 'pass'],
  ['a program with a cookie and no origin', { ...JSON_TYPE, cookie: 'a=b' }, 403],
  ['another site', { ...JSON_TYPE, origin: 'https://evil.example' }, 403],
  ['our name as a prefix', { ...JSON_TYPE, origin: `${ORIGIN}.evil.example` }, 403],
  ['our site without its s', { ...JSON_TYPE, origin: 'http://exchange.example' }, 403],
  ['a sandboxed frame', { ...JSON_TYPE, origin: 'null' }, 403],
  [
    'a type with a parameter',
    { ...JSON_TYPE, 'content-type': 'application/json; charset=utf-8', origin: ORIGIN },
    'pass',
  ],
  ['a type that only begins like ours', { ...JSON_TYPE, 'content-type': 'application/jsonp', origin: ORIGIN }, 415],
  ['a form', { ...JSON_TYPE, 'content-type': 'multipart/form-data', origin: ORIGIN }, 415],
  ['the longest body', { ...JSON_TYPE, 'content-length': '32768', origin: ORIGIN }, 'pass'],
  ['one byte more', { ...JSON_TYPE, 'content-length': '32769', origin: ORIGIN }, 413],
  [
    'a body of unknown length',
    { 'content-type': 'application/json', 'transfer-encoding': 'chunked', origin: ORIGIN },
    411,
  ],
] as const)('CSRF: a call from %s, or with it: %s', (_name, headers, expected) => {
  expect(status(guard(headers))).toBe(expected);
});

test.each(['GET', 'HEAD'])('%s changes nothing and passes from anywhere', (method) => {
  expect(guard({ origin: 'https://evil.example', cookie: 'a=b' }, method)).toBe('pass');
});
