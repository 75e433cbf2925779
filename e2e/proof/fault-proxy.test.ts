import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '#stack/wait-until.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

let target: Server;
let seen: string[];
let proxy: FaultProxy;
beforeEach(async () => {
  seen = [];
  target = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      seen.push(text);
      // Half a request is not answered.
      if (!text.startsWith('POST') || text.includes('{}')) socket.write('answer');
    });
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  proxy = await startFaultProxy({ port });
  proxy.aim({ host: '127.0.0.1', port: (target.address() as AddressInfo).port });
});
afterEach(async () => {
  await proxy.close();
  target.close();
});

async function open(): Promise<Socket> {
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** A broken connection is an end like any other. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

async function ask(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  return await new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString('latin1'))));
}

const arrives = (count: number) =>
  waitUntil(() => seen.length >= count, { what: `${count} requests did not arrive`, withinMs: 5_000 });
const REQUEST = 'POST /v1/transfers HTTP/1.1\r\nIdempotency-Key: k1\r\nContent-Length: 2\r\n\r\n{}';

describe('the fault proxy', () => {
  it('hands on what passes', async () => {
    expect(await ask(await open(), 'hello')).toBe('answer');
    expect(seen).toEqual(['hello']);
  });

  it('cuts what is open, refuses for a while, and lets through again', async () => {
    const socket = await open();
    await ask(socket, 'hello');
    const closed = closing(socket);
    proxy.cut(100);
    await closed;
    await expect(open()).rejects.toThrow('ECONNREFUSED');
    const answered = async () => {
      const again = await open().catch(() => null);
      return again !== null && (await ask(again, 'hello')) === 'answer';
    };
    await waitUntil(answered, { what: 'nothing passes again', withinMs: 5_000 });
  });

  it('hands on late while a delay is on', async () => {
    const socket = await open();
    proxy.delay(150, 2_000);
    const startedAt = performance.now();
    await ask(socket, 'hello');
    expect(performance.now() - startedAt).toBeGreaterThan(290);
  });

  it('lets a request through and swallows its answer', async () => {
    const socket = await open();
    proxy.swallowAnswers(150);
    const closed = closing(socket);
    socket.write('hello');
    await arrives(1);
    await closed;
    expect(socket.bytesRead).toBe(0);
  });

  it('repeats the very bytes of a request that makes a transfer, and counts them by key', async () => {
    proxy.repeatRequests({ requests: 1, copies: 2, delayMs: 10 });
    const socket = await open();
    socket.write(REQUEST.slice(0, 30));
    await arrives(1);
    socket.write(REQUEST.slice(30));
    await arrives(4);
    expect(seen.slice(2)).toEqual([REQUEST, REQUEST]);
    expect(proxy.repeatedKeys()).toEqual(new Map([['k1', 2]]));
  });

  it('repeats no look-up', async () => {
    proxy.repeatRequests({ requests: 1, copies: 1, delayMs: 1 });
    const socket = await open();
    await ask(socket, 'GET /v1/transfers?externalId=1 HTTP/1.1\r\n\r\n');
    await ask(socket, REQUEST);
    await arrives(3);
    expect(seen.at(-1)).toBe(REQUEST);
  });
});
