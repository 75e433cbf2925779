import { expect, test } from 'vitest';
import { isLoopbackOrigin } from '#server/auth/demo-people.ts';

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:3000', true],
  ['http://localhost.evil.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://0.0.0.0:3000', false],
  ['http://192.168.1.2:3000', false],
  ['https://exchange.example', false],
])('demo mode at %s: %s', (origin, allowed) => {
  expect(isLoopbackOrigin(origin)).toBe(allowed);
});
