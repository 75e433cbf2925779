import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { clientAddressOf } from '#server/api/client-address.ts';

function asked(forwarded: string | undefined): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: '10.0.0.9' });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
}

test.each([
  ['no proxy: nothing that a client writes is believed', 0, '203.0.113.7', '10.0.0.9'],
  ['one proxy: whom it heard it from', 1, '203.0.113.7', '203.0.113.7'],
  ['one proxy: what the client wrote itself stands left of it', 1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['two proxies: whom the outer one heard it from', 2, '198.51.100.1, 203.0.113.7, 10.0.0.8', '203.0.113.7'],
  ['too few entries: it came around a proxy', 2, '203.0.113.7', '10.0.0.9'],
  ['no header', 1, undefined, '10.0.0.9'],
  ['what is no address', 1, 'for=somebody', '10.0.0.9'],
  ['an address with its port', 1, '203.0.113.7:4711', '203.0.113.7'],
  ['IPv6 in brackets', 1, '[2001:db8::7]:4711', '2001:db8::7'],
  ['IPv6', 1, '2001:db8::7', '2001:db8::7'],
])('%s', (_case, hops, forwarded, address) => {
  expect(clientAddressOf(asked(forwarded), hops)).toBe(address);
});
