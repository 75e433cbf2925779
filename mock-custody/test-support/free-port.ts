import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A port nobody listens on at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (!isAddress(address)) throw new Error('the probe had no port');
  return address.port;
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
