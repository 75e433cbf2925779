import { type Agent, type IncomingMessage, request } from 'node:http';
import { type Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { CustodyExchange } from '#domain/custody-outcome.ts';

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly agent: Agent | SecureAgent;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Called when the request's last byte has been handed to the socket. */
  readonly onSent?: () => Promise<void>;
}

// No answer of custody's is near it; more would be somebody else's, or an attack on our memory.
const BODY_BYTES_MAX = 4 * 1024 * 1024;

/**
 * One HTTP request and what became of it, recorded and not judged. No retry, no redirect, one hard deadline for the whole.
 * Throws only what `onSent` throws: what a network error means is a rule, and the rule is elsewhere.
 */
export function exchangeHttp(call: HttpCall): Promise<CustodyExchange> {
  return new Promise((resolve, reject) => {
    let handed = false;
    let sent: Promise<void> = Promise.resolve();
    let response: Mutable<NonNullable<CustodyExchange['response']>> | undefined;
    let timer: NodeJS.Timeout | undefined;
    const finish = (error?: Error) => {
      clearTimeout(timer);
      const done = { bytesHandedToConnectedSocket: handed, ...(response && { response }), ...(error && { error }) };
      sent.then(() => resolve(done), reject);
    };
    const send = call.url.protocol === 'https:' ? secureRequest : request;
    const outgoing = send(call.url, { method: call.method, headers: call.headers, agent: call.agent });
    timer = setTimeout(() => outgoing.destroy(new Error('time-out')), call.timeoutMs);
    outgoing.on('socket', (socket: Socket) => {
      // A socket that has not connected holds our bytes back; one that has may have passed them on.
      if (socket.connecting) socket.once('connect', () => (handed = true));
      else handed = true;
    });
    outgoing.once('finish', () => (sent = call.onSent?.() ?? sent));
    outgoing.once('error', finish);
    outgoing.once('response', (incoming) => {
      handed = true;
      response = { status: incoming.statusCode ?? 0, headers: toPlainHeaders(incoming), bodyText: '', complete: false };
      readBody(incoming).then((text) => {
        if (response !== undefined && text !== null) response = { ...response, bodyText: text, complete: true };
        finish();
      }, finish);
    });
    outgoing.end(call.body ?? undefined);
  });
}

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** The whole body as text, or null when it is longer than we read. @throws Error when it stalls or is cut */
async function readBody(incoming: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > BODY_BYTES_MAX) {
      incoming.destroy();
      return null;
    }
  }
  return incoming.complete ? Buffer.concat(chunks).toString('utf8') : null;
}

function toPlainHeaders(incoming: IncomingMessage): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}
