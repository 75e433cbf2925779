import type { IncomingMessage } from 'node:http';
import type { RefusalCode } from '#domain/refusal.ts';

/** Longest body of any call of ours, in bytes: a request for a withdrawal has a few hundred. */
export const BODY_BYTES_MAX = 32_768;

export type GuardVerdict = 'pass' | { readonly code: RefusalCode; readonly httpStatus: number };

/**
 * Whether a call that may change something comes from our own pages, or from a program that carries no cookie. A foreign
 * page can make a browser send our cookie, but it cannot choose the `Origin`.
 */
export function guardRequest(request: Pick<IncomingMessage, 'method' | 'headers'>, publicOrigin: string): GuardVerdict {
  if (request.method === 'GET' || request.method === 'HEAD') return 'pass';
  const { origin, cookie, 'content-type': contentType, 'content-length': length } = request.headers;
  if (origin === undefined ? cookie !== undefined : origin !== publicOrigin)
    return { code: 'forbidden', httpStatus: 403 };
  // The three types that a foreign form can send without asking are not among ours.
  if (contentType !== undefined && !/^application\/json\s*(;|$)/i.test(contentType)) return malformed(415);
  if (length === undefined && request.headers['transfer-encoding'] !== undefined) return malformed(411);
  return Number(length ?? 0) > BODY_BYTES_MAX ? malformed(413) : 'pass';
}

function malformed(httpStatus: number): GuardVerdict {
  return { code: 'request_malformed', httpStatus };
}
