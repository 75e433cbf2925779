import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { parseJson } from '#domain/json-text.ts';
import { answerRefusal, readBody } from '#server/api/http-answer.ts';
import { BODY_BYTES_MAX } from '#server/api/request-guard.ts';
import { DEMO_NAMES, DEMO_PASSWORD, demoEmail } from '#server/auth/demo-people.ts';

export const DEMO_SIGN_IN_PATH = '/api/demo/sign-in';

/** What the accounts library offers of itself here. */
export type PasswordSignIn = (credentials: { email: string; password: string }) => Promise<Response>;

const bodySchema = z.strictObject({ who: z.enum(DEMO_NAMES) });

/** Signs a demo person in with one press, from this machine only. */
export async function answerDemoSignIn(
  deps: { signIn: PasswordSignIn },
  input: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { request, response } = input;
  // Demo mode is refused unless the public origin is this machine's; a neighbour on the network is not meant either.
  if (!isLoopbackAddress(request.socket.remoteAddress ?? '')) return answerRefusal(response, 'not_found');
  if (request.method !== 'POST') return answerRefusal(response, 'request_malformed', 405);
  const bytes = await readBody(request, BODY_BYTES_MAX);
  const body = bodySchema.safeParse(parseJson(bytes?.toString('utf8') ?? ''));
  if (!body.success) return answerRefusal(response, 'request_malformed');
  const answer = await deps.signIn({ email: demoEmail(body.data.who), password: DEMO_PASSWORD });
  if (!answer.ok) return answerRefusal(response, 'service_unavailable');
  response.writeHead(204, { 'set-cookie': answer.headers.getSetCookie(), 'cache-control': 'no-store' });
  response.end();
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
