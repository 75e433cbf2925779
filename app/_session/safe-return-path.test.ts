import { expect, test } from 'vitest';
import { safeReturnPath } from './safe-return-path.ts';

test.each([
  ['/withdraw', '/withdraw'],
  ['/operator/withdrawals?status=in_doubt', '/operator/withdrawals?status=in_doubt'],
  ['/withdraw#part', '/withdraw'],
])('%s is a path of ours', (next, path) => {
  expect(safeReturnPath(next)).toBe(path);
});

test.each([
  undefined,
  '',
  'withdraw',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/./\\evil.example',
  '/..//evil.example',
  'javascript:alert(1)',
  '/sign-in?next=/sign-in',
])('no open redirect: %s leads to the start page', (next) => {
  expect(safeReturnPath(next)).toBe('/');
});

test('a parameter given twice leads to the start page', () => {
  expect(safeReturnPath(['/withdraw', '/operator'])).toBe('/');
});
