import type { IncomingMessage, ServerResponse } from 'node:http';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { ApiTools } from '#server/api/context.ts';
import { answerRefusal, readBody } from '#server/api/http-answer.ts';
import { refusalOnTheWire, toRefusalError } from '#server/api/refusal-to-trpc.ts';
import { BODY_BYTES_MAX } from '#server/api/request-guard.ts';
import { appRouter } from '#server/api/root.ts';
import { findSession } from '#server/auth/session.ts';
import { readSessionToken, sessionCookieName } from '#server/auth/session-cookie.ts';

export const TRPC_PREFIX = '/api/trpc/';

/** Seconds after which an answer that may change by itself is worth asking for again. */
const RETRY_AFTER_SECONDS = '1';

/** Answers a tRPC call on bare node:http: a third of the CPU of the same call through a page's route handler. */
export async function answerTrpc(
  tools: ApiTools,
  input: {
    request: IncomingMessage;
    response: ServerResponse;
    requestId: string;
    publicUrl: string;
    authSecret: string;
  },
): Promise<void> {
  const { request, response, requestId, publicUrl, authSecret } = input;
  if (request.method === 'POST') {
    const body = await readBody(request, BODY_BYTES_MAX);
    if (body === null) return answerRefusal(response, 'request_malformed', 413);
    // A body that is no JSON reads as null, so that the key beside it is still looked up before anything is refused.
    Object.assign(request, { body: isJson(body) ? body.toString('utf8') : 'null' });
  }
  const path = (request.url ?? '').slice(TRPC_PREFIX.length).split('?')[0] ?? '';
  await nodeHTTPRequestHandler({
    router: appRouter,
    path,
    req: request,
    res: response,
    allowBatching: false,
    createContext: () => ({
      tools,
      requestId,
      site: { publicUrl, authSecret },
      sessionToken: readSessionToken(request.headers.cookie ?? null, sessionCookieName(publicUrl), authSecret),
      keyHeader: request.headers['idempotency-key'],
      findSession: () => findSession(tools, { cookieHeader: request.headers.cookie ?? null, publicUrl, authSecret }),
    }),
    responseMeta: ({ errors, type }) => {
      const headers = { 'cache-control': 'no-store' };
      const [error] = errors;
      if (error === undefined) return { headers };
      const { code } = refusalOnTheWire(toRefusalError(error, type === 'mutation' ? 'mutation' : 'query'));
      const mayPass = code === 'service_unavailable' || code === 'outcome_unknown' || code === 'rate_limited';
      return {
        headers: mayPass ? { ...headers, 'retry-after': RETRY_AFTER_SECONDS } : headers,
        // Whatever broke, it is no news for the client: it is unavailable, or its outcome is unknown.
        ...(error.code === 'INTERNAL_SERVER_ERROR' ? { status: 503 } : {}),
      };
    },
  });
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return true;
  } catch {
    // The answer to it is the procedure's matter.
    return false;
  }
}
