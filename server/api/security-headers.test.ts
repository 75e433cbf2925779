import { expect, test } from 'vitest';
import { DATA_CONTENT_POLICY, pageContentPolicy, securityHeaders } from './security-headers.ts';

const directive = (policy: string, name: string) =>
  policy
    .split('; ')
    .find((one) => one.startsWith(`${name} `))
    ?.split(' ')
    .slice(1);

test('CSP: a page runs only scripts with its own nonce, none inline and none from elsewhere', () => {
  const policy = pageContentPolicy({ nonce: 'abc', dev: false });
  expect(directive(policy, 'script-src')).toEqual(["'self'", "'nonce-abc'", "'strict-dynamic'"]);
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
  expect(directive(policy, 'default-src')).toEqual(["'self'"]);
  expect(directive(policy, 'object-src')).toEqual(["'none'"]);
  expect(directive(policy, 'base-uri')).toEqual(["'none'"]);
});

test('CSP: no page of ours is framed, and none sends a form elsewhere', () => {
  const policy = pageContentPolicy({ nonce: 'abc', dev: false });
  expect(directive(policy, 'frame-ancestors')).toEqual(["'none'"]);
  expect(directive(policy, 'form-action')).toEqual(["'self'"]);
  expect(securityHeaders({ isSecure: true })['x-frame-options']).toBe('DENY');
});

test('CSP: data is never a page', () => {
  expect(DATA_CONTENT_POLICY).toBe("default-src 'none'; frame-ancestors 'none'");
});

test('a browser that came by https comes by nothing else for two years', () => {
  expect(securityHeaders({ isSecure: true })['strict-transport-security']).toMatch(/^max-age=63072000/);
  expect(securityHeaders({ isSecure: false })).not.toHaveProperty('strict-transport-security');
});
