import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Whose address a request is counted under. Each of our own proxies appends to X-Forwarded-For whom it heard it from, so only what
 * the last of so many wrote is believed, counted from the right: what stands left of it was written by whoever asked. A request
 * that came around a proxy has too few entries, and is counted under the address of its connection.
 *
 * @param trustedHops how many proxies of ours stand in front of this process; 0 believes no header
 */
export function clientAddressOf(request: IncomingMessage, trustedHops: number): string {
  const peer = request.socket.remoteAddress ?? 'unknown';
  if (trustedHops === 0) return peer;
  const header = request.headers['x-forwarded-for'];
  const entries = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  return readAddress(entries.at(-trustedHops) ?? '') ?? peer;
}

/** With or without a port, as proxies write it; null for what is no address. */
function readAddress(text: string): string | null {
  const typed = text.trim();
  const bare = /^\[(.+)\](?::\d+)?$/.exec(typed)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(typed)?.[1] ?? typed;
  return isIP(bare) === 0 ? null : bare;
}
