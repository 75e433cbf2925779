import { createConnection } from 'node:net';

// A probe that hangs is a probe that failed; the next one follows at once.
const PROBE_TIMEOUT_MS = 2_000;

/** Somebody listens there. */
export function isPortOpen(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host });
    const answer = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => answer(false));
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

/** A health endpoint says yes. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** An Ethereum node answers. */
export async function isChainUp(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Redis answers a PING, which it does only once its append-only file is loaded. */
export function isRedisUp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const answer = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => answer(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => answer(String(data).startsWith('+PONG')));
    socket.once('error', () => answer(false));
    socket.once('close', () => resolve(false));
  });
}
