import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerDemoSignIn } from '#server/api/demo-door.ts';

let server: Server;
let url: string;
let peer: string | null;
let asked: unknown[];
beforeEach(async () => {
  peer = null;
  asked = [];
  const signIn = async (credentials: unknown) => {
    asked.push(credentials);
    return new Response(null, { headers: { 'set-cookie': 'session=1' } });
  };
  server = createServer((request, response) => {
    if (peer !== null) Object.defineProperty(request.socket, 'remoteAddress', { value: peer });
    void answerDemoSignIn({ signIn }, { request, response });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const press = (body: string) => fetch(url, { method: 'POST', body });

test('one press from this machine sets the session of the demo person it names', async () => {
  const answer = await press('{"who":"alice"}');
  expect(answer.status).toBe(204);
  expect(answer.headers.getSetCookie()).toEqual(['session=1']);
  expect(asked).toEqual([{ email: 'alice@demo.cryptoex.test', password: 'demo-only-password' }]);
});

test.each(['192.168.1.2', '::ffff:10.0.0.1', '2001:db8::1'])(
  'to a neighbour at %s there is no such door',
  async (address) => {
    peer = address;
    expect((await press('{"who":"alice"}')).status).toBe(404);
    expect(asked).toEqual([]);
  },
);

test.each(['', '{', '{"who":"mallory"}', '{"who":"alice","role":"operator"}'])('%s is malformed', async (body) => {
  expect((await press(body)).status).toBe(400);
  expect(asked).toEqual([]);
});

test('a link that somebody is led to signs nobody in', async () => {
  expect((await fetch(url)).status).toBe(405);
  expect(asked).toEqual([]);
});
