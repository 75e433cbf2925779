import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiTools } from '#server/api/context.ts';
import { answerRefusal } from '#server/api/http-answer.ts';
import { QUEUE_BOARD_POLICY } from '#server/api/security-headers.ts';
import { isStaff } from '#server/auth/roles.ts';
import type { Session } from '#server/auth/session.ts';
import { createQueueBoard, QUEUE_BOARD_PATH, type QueueBoard } from '#server/operator/queue-board.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';

const boards = new WeakMap<WithdrawalQueue, Promise<QueueBoard>>();

/** Shows the queue to staff who look. Everybody else is told that there is no such page, and nothing here changes anything. */
export async function answerQueueBoard(
  tools: ApiTools,
  call: { request: IncomingMessage; response: ServerResponse; path: string; session: Session | null },
): Promise<void> {
  const { request, response, path, session } = call;
  const queue = tools.room?.queue ?? null;
  if (queue === null || session === null || !isStaff(session.role)) return answerRefusal(response, 'not_found');
  if (request.method !== 'GET') return answerRefusal(response, 'request_malformed', 405);
  let board = boards.get(queue);
  if (board === undefined) {
    board = createQueueBoard(queue);
    boards.set(queue, board);
  }
  const query = Object.fromEntries(new URL(request.url ?? '', 'http://here.invalid').searchParams);
  const answer = await (await board)(path.slice(QUEUE_BOARD_PATH.length) || '/', query);
  if (answer === null) return answerRefusal(response, 'not_found');
  const headers = {
    'content-type': answer.contentType,
    'content-security-policy': QUEUE_BOARD_POLICY,
    'cache-control': path.includes('/static/') ? 'private, max-age=3600' : 'no-store',
  };
  response.writeHead(answer.status, headers).end(answer.body);
}
