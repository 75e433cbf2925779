import { once } from 'node:events';
import { createServer } from 'node:http';
import { findFreePort } from './free-port.ts';

export type ChainProxy = {
  url: string;
  /** Calls `act` once, when the next signed transaction passes: before the chain gets it, or after it has answered. */
  onNextSend: (moment: 'before' | 'after', act: () => Promise<void>) => void;
  close: () => Promise<void>;
};

/** Stands between the provider and the chain, to find the very moment of a broadcast. */
export async function openChainProxy(rpcUrl: string): Promise<ChainProxy> {
  let armed: { moment: 'before' | 'after'; act: () => Promise<void> } | null = null;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const body = Buffer.concat(parts).toString('utf8');
    const strike = body.includes('eth_sendRawTransaction') ? armed : null;
    if (strike !== null) armed = null;
    if (strike?.moment === 'before') {
      await strike.act();
      response.destroy();
      return;
    }
    const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const text = await answer.text();
    if (strike?.moment === 'after') await strike.act();
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  });
  const port = await findFreePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    onNextSend: (moment, act) => {
      armed = { moment, act };
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
