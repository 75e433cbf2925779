import type { ServerResponse } from 'node:http';
import type { Answer } from '../problem.ts';

/** How a request ends. All but `answer` are what a fault switch makes of it. */
export type Reply =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'drop' }
  | { kind: 'stall'; answer: Answer; forMs: number }
  | { kind: 'truncate'; answer: Answer };

export const answered = (answer: Answer): Reply => ({ kind: 'answer', answer });

export function writeReply(response: ServerResponse, reply: Reply, context: { now: Date; requestId: string }): void {
  if (reply.kind === 'drop') {
    response.socket?.resetAndDestroy();
    return;
  }
  const { status, headers, body } = reply.answer;
  const bytes = Buffer.from(body);
  const sent = reply.kind === 'truncate' ? bytes.subarray(0, bytes.length >> 1) : bytes;
  response.writeHead(status, {
    ...headers,
    date: context.now.toUTCString(),
    'x-request-id': context.requestId,
    'content-length': sent.length,
    'cache-control': 'no-store',
  });
  if (reply.kind !== 'stall') {
    response.end(sent);
    return;
  }
  response.write(sent.subarray(0, sent.length >> 1));
  setTimeout(() => response.socket?.destroy(), reply.forMs).unref();
}
