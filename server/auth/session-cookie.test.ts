import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readSessionToken, sessionCookieName } from '#server/auth/session-cookie.ts';

const sign = (token: string, secret: string) =>
  encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`);
const read = (header: string | null) => readSessionToken(header, 'cryptoex.session_token', 'our secret');

test('the token is read from among other cookies when its signature is ours', () => {
  const cookie = `theme=dark; cryptoex.session_token=${sign('abc', 'our secret')}; other=1`;
  expect(read(cookie)).toBe('abc');
});

test.each([
  ['no header', null],
  ['an empty header', ''],
  ['another cookie', `session_token=${sign('abc', 'our secret')}`],
  ['the name of the secure cookie', `__Secure-cryptoex.session_token=${sign('abc', 'our secret')}`],
  ['another secret', `cryptoex.session_token=${sign('abc', 'their secret')}`],
  ['another token under our signature', `cryptoex.session_token=${sign('abc', 'our secret').replace('abc', 'abd')}`],
  ['a cut signature', `cryptoex.session_token=${sign('abc', 'our secret').slice(0, -6)}`],
  ['no token', `cryptoex.session_token=${sign('', 'our secret')}`],
  ['no signature', 'cryptoex.session_token=abc'],
  ['broken encoding', 'cryptoex.session_token=%E0%A4%A'],
])('%s signs nobody in', (_name, header) => {
  expect(read(header)).toBeNull();
});

test('over https the cookie has the name that browsers protect', () => {
  expect(sessionCookieName('https://exchange.example')).toBe('__Secure-cryptoex.session_token');
  expect(sessionCookieName('http://localhost:3000')).toBe('cryptoex.session_token');
});
