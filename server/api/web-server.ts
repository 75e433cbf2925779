import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { clientAddressOf } from '#server/api/client-address.ts';
import type { ApiTools } from '#server/api/context.ts';
import { answerDemoSignIn, DEMO_SIGN_IN_PATH, type PasswordSignIn } from '#server/api/demo-door.ts';
import { answerHealth } from '#server/api/health-door.ts';
import { answerHistoryCsv, HISTORY_CSV_PATH } from '#server/api/history-csv-door.ts';
import { answerRefusal } from '#server/api/http-answer.ts';
import { answerQueueBoard } from '#server/api/queue-board-door.ts';
import { guardRequest } from '#server/api/request-guard.ts';
import { REQUESTED_SEARCH_HEADER } from '#server/api/requested-search.ts';
import { answerRoomCsv, isRoomCsv } from '#server/api/room-csv-door.ts';
import {
  DATA_CONTENT_POLICY,
  pageContentPolicy,
  STATIC_HEADERS,
  securityHeaders,
} from '#server/api/security-headers.ts';
import { STATIC_PREFIX, type StaticDoor } from '#server/api/static-door.ts';
import { answerTrpc, TRPC_PREFIX } from '#server/api/trpc-door.ts';
import { answerWebhook, type WebhookReceiver } from '#server/api/webhook-door.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/auth/create-auth.ts';
import { gatherSessions } from '#server/auth/gather-sessions.ts';
import { type FindSessions, findSession } from '#server/auth/session.ts';
import { logger } from '#server/logger.ts';
import { metrics } from '#server/metrics.ts';
import { answerMetrics } from '#server/operator/answer-metrics.ts';
import { QUEUE_BOARD_PATH } from '#server/operator/queue-board.ts';
import { refreshMetrics } from '#server/operator/refresh-metrics.ts';

/** With what is made once for all requests. */
type Served = WebServerOptions & { readonly findSessions: FindSessions };

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface WebServerOptions {
  readonly tools: ApiTools;
  readonly publicUrl: string;
  readonly authSecret: string;
  /** What a scraper of the metrics must bring; null lets only this machine read them. */
  readonly metricsToken?: string | null;
  /** How many proxies of ours stand in front; default none, and then no header says where a request came from. */
  readonly trustedProxyHops?: number;
  readonly dev: boolean;
  /** Accounts and sessions, below /api/auth/. */
  readonly auth: Handler;
  /** Null outside demo mode: then there is no such door. */
  readonly demoSignIn: PasswordSignIn | null;
  readonly receiveWebhook: WebhookReceiver;
  /** Built scripts and styles, where they were compressed; null leaves them all to the pages. */
  readonly statics: StaticDoor | null;
  /** Everything else. */
  readonly pages: Handler;
  readonly isStopping: () => boolean;
}

/** One process, one port: data is answered here, before the renderer of pages is asked. */
export function createWebServer(options: WebServerOptions): Server {
  const served = { ...options, findSessions: gatherSessions(options.tools.db) };
  const server = createServer({ keepAliveTimeout: 65_000, headersTimeout: 10_000, requestTimeout: 30_000 });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUUID();
    answer(served, request, response, requestId).catch((error: unknown) => {
      logger().error('web.request_failed', error, { requestId, path: pathOf(request) });
      if (!response.headersSent) answerRefusal(response, 'service_unavailable');
      else response.destroy();
    });
  });
  return server;
}

async function answer(
  options: Served,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  const path = pathOf(request);
  if (path.startsWith(STATIC_PREFIX)) {
    for (const [name, value] of Object.entries(STATIC_HEADERS)) response.setHeader(name, value);
    if (options.statics?.(request, response, path)) return;
    return await options.pages(request, response);
  }
  const common = {
    ...securityHeaders({ isSecure: options.publicUrl.startsWith('https:') }),
    'x-request-id': requestId,
  };
  for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
  if (options.isStopping()) response.setHeader('connection', 'close');
  // Set by us or absent: a client must not choose the address that its password guesses are counted under.
  request.headers[CLIENT_ADDRESS_HEADER] = clientAddressOf(request, options.trustedProxyHops ?? 0);
  if (path.startsWith('/api/') || path.startsWith('/health/') || path === '/metrics') {
    response.setHeader('content-security-policy', DATA_CONTENT_POLICY);
    return await answerData(options, { request, response, requestId, path });
  }
  if (path === QUEUE_BOARD_PATH || path.startsWith(`${QUEUE_BOARD_PATH}/`)) {
    const session = await sessionOf(options, request);
    return await answerQueueBoard(options.tools, { request, response, path, session });
  }
  const policy = pageContentPolicy({ nonce: randomBytes(16).toString('base64'), dev: options.dev });
  request.headers['content-security-policy'] = policy;
  request.headers[REQUESTED_SEARCH_HEADER] = searchOf(request);
  response.setHeader('content-security-policy', policy);
  return await options.pages(request, response);
}

/** The filters of the page that was asked for; what the pages' own client adds for itself is none of them. */
function searchOf(request: IncomingMessage): string {
  const search = new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
  search.delete('_rsc');
  return search.size === 0 ? '' : `?${search}`;
}

function sessionOf({ tools, publicUrl, authSecret }: WebServerOptions, request: IncomingMessage) {
  return findSession(tools, { cookieHeader: request.headers.cookie ?? null, publicUrl, authSecret });
}

async function answerData(
  options: Served,
  call: { request: IncomingMessage; response: ServerResponse; requestId: string; path: string },
): Promise<void> {
  const { request, response, path } = call;
  const { tools } = options;
  if (path.startsWith('/health/'))
    return await answerHealth(tools, { path, response, isStopping: options.isStopping() });
  if (path === '/metrics') {
    const refresh = () => refreshMetrics({ db: tools.db, room: tools.room });
    return await answerMetrics({ refresh, token: options.metricsToken ?? null }, call);
  }
  // Signed by custody and without cookies: the guard below is for browsers.
  if (path === '/api/webhooks/custody') return await answerWebhook(options.receiveWebhook, call);
  const verdict = guardRequest(request, options.publicUrl);
  if (verdict !== 'pass') return answerRefusal(response, verdict.code, verdict.httpStatus);
  if (path.startsWith(TRPC_PREFIX)) {
    const end = path === `${TRPC_PREFIX}withdrawal.request` ? metrics().requestSeconds.startTimer() : null;
    await answerTrpc(tools, { ...options, ...call });
    end?.();
    return;
  }
  if (path === HISTORY_CSV_PATH) {
    return await answerHistoryCsv(tools, { request, response, session: await sessionOf(options, request) });
  }
  if (isRoomCsv(path)) {
    return await answerRoomCsv(tools, { request, response, path, session: await sessionOf(options, request) });
  }
  if (path.startsWith('/api/auth/')) {
    await options.auth(request, response);
    const { statusCode } = response;
    if (statusCode >= 400) logger().info('auth.refused', { path, httpStatus: statusCode, requestId: call.requestId });
    return;
  }
  if (path === DEMO_SIGN_IN_PATH && options.demoSignIn !== null) {
    return await answerDemoSignIn({ signIn: options.demoSignIn }, call);
  }
  return answerRefusal(response, 'not_found');
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?')[0] ?? '/';
}
