import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { logger } from '#server/logger.ts';
import { metrics } from '#server/metrics.ts';

// A database that hangs must not hide what the process knows of itself.
const REFRESH_MAX_MS = 4_000;

/**
 * Answers a scraper in Prometheus' text. They tell what we hold and how busy we are, so they are not open to the world: with a
 * token only its bearer reads them, without one only this machine, and nobody through a proxy.
 */
export async function answerMetrics(
  deps: { refresh: () => Promise<void>; token: string | null },
  call: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { request, response } = call;
  if (!mayRead(request, deps.token)) {
    // As if it were not there.
    response.writeHead(404, { 'cache-control': 'no-store' }).end();
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, REFRESH_MAX_MS);
  });
  // What could not be read stays as it was; `metrics_refreshed_timestamp_seconds` tells how old it is.
  const refreshed = deps.refresh().catch((error: unknown) => logger().error('metrics.not_refreshed', error, {}));
  await Promise.race([refreshed, late]);
  clearTimeout(timer);
  const { registry } = metrics();
  response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' });
  response.end(await registry.metrics());
}

function mayRead(request: IncomingMessage, token: string | null): boolean {
  const { authorization } = request.headers;
  if (token !== null) return authorization !== undefined && isEqual(authorization, `Bearer ${token}`);
  const address = request.socket.remoteAddress ?? '';
  const isProxied = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
  return !isProxied && (address === '::1' || /^(::ffff:)?127\./.test(address));
}

/** In constant time, whatever the lengths. */
function isEqual(left: string, right: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(left), hash(right));
}
