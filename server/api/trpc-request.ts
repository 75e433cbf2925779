import type { IncomingMessage, ServerResponse } from 'node:http';
import { callTRPCProcedure, getErrorShape, getTRPCErrorFromUnknown } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import type { ApiContext } from '#server/api/context.ts';
import { appRouter } from '#server/api/root.ts';

const PATH = 'withdrawal.request';
const URL_PATH = `/api/trpc/${PATH}`;

/** Our procedures listen to no signal: what was asked is done, whoever waits for it. */
const { signal } = new AbortController();

/**
 * Whether a call is the one that the door is there for, as every client of ours sends it. Anything unusual about it (a query
 * string, another media type, a stream) is the adapter's to judge.
 */
export function isPlainRequest({ method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  const wantsStream = headers['trpc-accept'] !== undefined || headers.accept === 'application/jsonl';
  return method === 'POST' && url === URL_PATH && isJson && !wantsStream;
}

/**
 * Calls the procedure and writes what tRPC's adapter writes. The adapter makes a Request, a Response, three abort controllers and a
 * stream of every call first: a fifth of what a request for a withdrawal cost this process.
 *
 * @param input.headersOf what goes beside an answer, or beside an error
 */
export async function answerPlainRequest(
  context: ApiContext,
  input: { response: ServerResponse; body: unknown; headersOf: HeadersOf },
): Promise<void> {
  const { response, body, headersOf } = input;
  const call = { path: PATH, type: 'mutation', ctx: context, input: body } as const;
  let status = 200;
  let error: ReturnType<typeof getTRPCErrorFromUnknown> | undefined;
  let answer: object;
  try {
    const getRawInput = () => Promise.resolve(body);
    answer = {
      result: { data: await callTRPCProcedure({ ...call, router: appRouter, getRawInput, signal, batchIndex: 0 }) },
    };
  } catch (cause) {
    error = getTRPCErrorFromUnknown(cause);
    answer = { error: getErrorShape({ ...call, config: appRouter._def._config, error }) };
    status = error.code === 'INTERNAL_SERVER_ERROR' ? 503 : getHTTPStatusCodeFromError(error);
  }
  const text = JSON.stringify(answer);
  response.writeHead(status, {
    'content-type': 'application/json',
    vary: 'trpc-accept, accept',
    ...headersOf(error, call.type),
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

type HeadersOf = (
  error: ReturnType<typeof getTRPCErrorFromUnknown> | undefined,
  type: 'mutation',
) => Record<string, string>;
