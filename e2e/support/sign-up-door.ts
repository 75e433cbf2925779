import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stack } from './running-stack.ts';

// Every address of 127.0.0.0/8 is this machine, but only Linux answers to each of them without being told.
const HAS_MANY_ADDRESSES = process.platform === 'linux';

/**
 * A door to the house that comes from an address of its own, as each customer does: sign-ups are limited by address, and a
 * test that waits for the limit proves nothing. Cookies know no ports, so those that are set through it are the house's.
 *
 * @returns the origin to ask in place of the house's, and how to close it
 */
export async function openSignUpDoor(): Promise<{ origin: string; close: () => void }> {
  const localAddress = HAS_MANY_ADDRESSES ? randomLoopback() : undefined;
  const { host, port } = new URL(stack.urls.web);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path } = incoming;
    const headers = { ...incoming.headers, host };
    const onward = ask({ host: '127.0.0.1', port, localAddress, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://localhost:${portOf(server.address())}`, close };
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('the door has no port');
  return address.port;
}

function randomLoopback(): string {
  const [second = 1, third = 1, fourth = 1] = crypto.getRandomValues(new Uint8Array(3));
  // The first of all is everybody else's.
  return `127.${second}.${third}.${Math.max(2, Math.min(254, fourth))}`;
}
