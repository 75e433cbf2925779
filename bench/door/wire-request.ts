import { randomBytes, randomUUID } from 'node:crypto';
import type { WireRequest } from '../harness/http-load.ts';
import { DOOR_ORIGIN } from './door-session.ts';

/** One dollar to an address that nobody was paid at before, as a page asks for it at which anybody of these is signed in. */
export function aWireRequest(cookies: readonly string[]): WireRequest {
  const address = `0x${randomBytes(20).toString('hex')}`;
  return wireRequestOf({
    cookie: anybodyOf(cookies),
    key: randomUUID(),
    asset: 'USDC',
    network: 'ethereum',
    address,
    amount: '1',
  });
}

/** The cookie of one of them, by chance. */
export function anybodyOf(cookies: readonly string[]): string {
  return cookies[Math.floor(Math.random() * cookies.length)] ?? '';
}

/** What a signed-in page sends, however often it sends it. */
export function wireRequestOf(input: { cookie: string; key: string } & Record<string, string>): WireRequest {
  const { cookie, key, ...meaning } = input;
  return {
    path: '/api/trpc/withdrawal.request',
    headers: { cookie, origin: DOOR_ORIGIN, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(meaning),
  };
}
