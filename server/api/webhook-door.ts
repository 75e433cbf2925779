import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, readBody } from '#server/api/http-answer.ts';

/** What became of a delivery: stored (or known already), refused for good, or to be sent again. */
export type WebhookReceipt = 'stored' | 'refused';

/** Stores a delivery as it came. Throws when it could not be stored, so that the sender tries again. */
export type WebhookReceiver = (delivery: { headers: IncomingHttpHeaders; body: Buffer }) => Promise<WebhookReceipt>;

/** An event has a few hundred bytes; a hundred kilobytes is what an attacker sends. */
const EVENT_BYTES_MAX = 65_536;

/** Takes what custody tells us: the raw bytes are stored first and understood later. */
export async function answerWebhook(
  receive: WebhookReceiver,
  call: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { request, response } = call;
  if (request.method !== 'POST') return answerJson(response, 405, { status: 'post_only' });
  const body = await readBody(request, EVENT_BYTES_MAX);
  if (body === null) {
    response.setHeader('connection', 'close');
    return answerJson(response, 413, { status: 'too_long' });
  }
  const receipt = await receive({ headers: request.headers, body });
  if (receipt === 'refused') return answerJson(response, 400, { status: 'refused' });
  response.writeHead(204).end();
}
