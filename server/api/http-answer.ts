import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RefusalCode } from '#domain/refusal.ts';
import { REFUSALS } from '#domain/refusal.ts';

/** Writes a JSON answer that nothing on the way may store. */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
  });
  response.end(text);
}

/** Refuses a call before any procedure was chosen, in the shape in which procedures refuse. */
export function answerRefusal(
  response: ServerResponse,
  code: RefusalCode,
  httpStatus: number = REFUSALS[code].httpStatus,
): void {
  const { message } = REFUSALS[code];
  answerJson(response, httpStatus, {
    error: { message, code: -32_600, data: { httpStatus, refusal: { code, message } } },
  });
}

/**
 * Reads a body whole, as the bytes that came: a signature covers bytes, not their meaning.
 *
 * @returns null when it is longer than `maxBytes`, or broke off
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > maxBytes) return null;
      chunks.push(chunk);
    }
  } catch {
    // The sender went away; there is nobody left to answer.
    return null;
  }
  return Buffer.concat(chunks);
}
