import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { ApiContext, ApiTools } from '#server/api/context.ts';
import { answerRefusal, readBody } from '#server/api/http-answer.ts';
import { refusalOnTheWire, toRefusalError } from '#server/api/refusal-to-trpc.ts';
import { BODY_BYTES_MAX } from '#server/api/request-guard.ts';
import { appRouter } from '#server/api/root.ts';
import { answerPlainRequest, isPlainRequest } from '#server/api/trpc-request.ts';
import { type FindSessions, toSession } from '#server/auth/session.ts';
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
    findSessions: FindSessions;
  },
): Promise<void> {
  const { request, response, requestId, publicUrl, authSecret, findSessions } = input;
  const body = request.method === 'POST' ? await readBody(request, BODY_BYTES_MAX) : undefined;
  if (body === null) return answerRefusal(response, 'request_malformed', 413);
  const sessionToken = readSessionToken(request.headers.cookie ?? null, sessionCookieName(publicUrl), authSecret);
  const context: ApiContext = {
    tools,
    requestId,
    site: { publicUrl, authSecret },
    sessionToken,
    keyHeader: request.headers['idempotency-key'],
    findSession: async () => (sessionToken === null ? null : toSession(await findSessions(sessionToken))),
  };
  // A body that is no JSON reads as null, so that the key beside it is still looked up before anything is refused.
  const read = body === undefined ? undefined : readJson(body);
  if (isPlainRequest(request)) return await answerPlainRequest(context, { response, body: read, headersOf });
  if (body !== undefined) Object.assign(request, { body: read === null ? 'null' : body.toString('utf8') });
  const path = (request.url ?? '').slice(TRPC_PREFIX.length).split('?')[0] ?? '';
  await nodeHTTPRequestHandler({
    router: appRouter,
    path,
    req: request,
    res: response,
    allowBatching: false,
    createContext: () => context,
    responseMeta: ({ errors: [error], type }) => {
      const headers = headersOf(error, type);
      // Whatever broke, it is no news for the client: it is unavailable, or its outcome is unknown.
      return error?.code === 'INTERNAL_SERVER_ERROR' ? { headers, status: 503 } : { headers };
    },
  });
}

function headersOf(error: TRPCError | undefined, type: string): Record<string, string> {
  const headers = { 'cache-control': 'no-store' };
  if (error === undefined) return headers;
  const { code } = refusalOnTheWire(toRefusalError(error, type === 'mutation' ? 'mutation' : 'query'));
  const mayPass = code === 'service_unavailable' || code === 'outcome_unknown' || code === 'rate_limited';
  return mayPass ? { ...headers, 'retry-after': RETRY_AFTER_SECONDS } : headers;
}

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // The answer to it is the procedure's matter.
    return null;
  }
}
