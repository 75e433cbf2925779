import { Agent, createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { exchangeHttp } from '#server/custody/http-exchange.ts';

const open: (Server | TcpServer)[] = [];
const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  await Promise.all(
    open.splice(0).map(
      (server) =>
        new Promise((resolve) => {
          if ('closeAllConnections' in server) server.closeAllConnections();
          server.close(resolve);
        }),
    ),
  );
});

async function listen(server: Server | TcpServer): Promise<string> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(url: string, timeoutMs = 500) {
  const agent = new Agent({ keepAlive: true });
  agents.push(agent);
  return exchangeHttp({
    method: 'POST',
    url: new URL('/v1/transfers', url),
    headers: {},
    body: Buffer.from('{}'),
    agent,
    timeoutMs,
  });
}

describe('what a call did', () => {
  it('is "no byte left" where nobody listens, where a name does not resolve, and where the connection never comes (EC45)', async () => {
    expect(await send('http://127.0.0.1:9')).toMatchObject({ bytesHandedToConnectedSocket: false });
    expect(await send('http://nobody.invalid')).toMatchObject({ bytesHandedToConnectedSocket: false });
    // A name server that never answers: the socket is still connecting when the time-out ends it.
    const agent = new Agent({ lookup: () => undefined });
    agents.push(agent);
    const url = new URL('http://slow.invalid');
    const swallowed = await exchangeHttp({
      method: 'POST',
      url,
      headers: {},
      body: Buffer.from('{}'),
      agent,
      timeoutMs: 200,
    });
    expect(swallowed.bytesHandedToConnectedSocket).toBe(false);
    expect(swallowed.response).toBeUndefined();
  });

  it('is "bytes may have left" where the peer closes without an answer, whatever the error is called (EC46)', async () => {
    const url = await listen(createTcpServer((socket) => socket.destroy()));
    const exchange = await send(url);
    expect(exchange).toMatchObject({ bytesHandedToConnectedSocket: true });
    expect(exchange.response).toBeUndefined();
  });

  it('ends at the hard deadline, before headers and in the middle of a body (CU17)', async () => {
    const silent = await listen(createServer(() => undefined));
    const startedAt = performance.now();
    expect(await send(silent, 300)).toMatchObject({ bytesHandedToConnectedSocket: true });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    const stalls = await listen(
      createServer((_, response) => {
        response.writeHead(201, { 'content-length': '100' });
        response.write('{"id"');
      }),
    );
    expect(await send(stalls, 300)).toMatchObject({ response: { status: 201, complete: false } });
  });

  it('is never repeated by the transport, also when a kept-alive connection dies under it (EC68, CU03)', async () => {
    let requests = 0;
    const url = await listen(
      createServer((request, response) => {
        requests += 1;
        if (requests === 2) request.socket.destroy();
        else response.end('{}');
      }),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    const call = () =>
      exchangeHttp({ method: 'POST', url: new URL(url), headers: {}, body: Buffer.from('{}'), agent, timeoutMs: 500 });
    expect((await call()).response?.status).toBe(200);
    expect((await call()).response).toBeUndefined();
    expect(requests).toBe(2);
  });

  it('does not follow a redirect (EC67)', async () => {
    let requests = 0;
    const url = await listen(
      createServer((_, response) => {
        requests += 1;
        response.writeHead(308, { location: '/elsewhere' }).end();
      }),
    );
    expect((await send(url)).response?.status).toBe(308);
    expect(requests).toBe(1);
  });
});
