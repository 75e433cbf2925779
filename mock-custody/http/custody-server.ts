import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { CustodySettings } from '../custody-settings.ts';
import type { FaultSwitches } from '../fault-switches.ts';
import { problem } from '../problem.ts';
import { answered, type Reply, writeReply } from './reply.ts';
import { compileRoute, matchRoute, type Route } from './route.ts';

// A transfer request is half a kilobyte; nobody needs more than this.
const BODY_BYTES_MAX = 65_536;
// Longer than a client's own idle time, so that it is the client who closes and never meets a socket we just closed.
const KEEP_ALIVE_MS = 75_000;

/** The HTTP surface: finds the route, checks who asks, reads, answers. Every answer carries Date and X-Request-Id. */
export function createCustodyServer(
  deps: { settings: CustodySettings; faults: FaultSwitches; log: (event: string, fields: object) => void },
  input: { apiKey: string; routes: readonly Route[] },
): Server {
  const routes = input.routes.map(compileRoute);

  async function serve(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<Reply> {
    const url = new URL(request.url ?? '/', 'http://custody');
    const match = matchRoute(routes, request.method ?? 'GET', url.pathname);
    if (match.kind === 'no_path') return answered(problem(404, 'not_found'));
    if (match.kind === 'no_method') return answered(problem(405, 'method_not_allowed'));
    const { route, params } = match;
    if (route.access === 'local' && !isLocal(request)) return answered(problem(404, 'not_found'));
    if (route.access === 'keyed' && route.method === 'POST') {
      const key = request.headers['idempotency-key'];
      // Before a byte of the body is read; the key is all we know of the request, and it equals the external id.
      const fault = await deps.faults.take('connection', { externalId: typeof key === 'string' ? key : undefined });
      if (fault !== undefined) return { kind: 'drop' };
    }
    if (route.access === 'keyed' && !hasKey(request, input.apiKey)) return answered(problem(401, 'unauthorized'));
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    return route.handle({
      params,
      query: url.searchParams,
      headers: request.headers,
      requestId,
      readBody: () => readBody(request),
      clientGone: gone.signal,
    });
  }

  const server = createServer((request, response) => {
    const requestId = `req_${randomUUID()}`;
    serve(request, response, requestId)
      .catch((cause: unknown): Reply => {
        if (cause instanceof BodyError) return answered(problem(400, 'invalid_request', { detail: cause.message }));
        deps.log('request.failed', { requestId, error: cause instanceof Error ? cause.message : String(cause) });
        return answered(problem(500, 'internal_error', { requestId }));
      })
      .then((reply) => {
        if (!response.headersSent && !response.destroyed)
          writeReply(response, reply, { now: deps.settings.now(), requestId });
      });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 5_000;
  return server;
}

class BodyError extends Error {}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size > BODY_BYTES_MAX) reject(new BodyError(`the body is over ${BODY_BYTES_MAX} bytes`));
      else parts.push(part);
    });
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    request.on('error', () => reject(new BodyError('the body did not arrive whole')));
  });
}

function hasKey(request: IncomingMessage, apiKey: string): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(apiKey));
}

function isLocal(request: IncomingMessage): boolean {
  const from = request.socket.remoteAddress ?? '';
  return from === '::1' || from.startsWith('127.') || from.startsWith('::ffff:127.');
}
