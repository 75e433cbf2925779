import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, normalize } from 'node:path';
import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app';
import { withDeadline } from '#server/queue/with-deadline.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';

/** Where the board is found; below the pages of the operators, and nobody else's. */
export const QUEUE_BOARD_PATH = '/operator/queue-board';

export interface BoardAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Buffer;
}

/** Answers a look at the board; null where there is nothing under this path. */
export type QueueBoard = (path: string, query: Readonly<Record<string, string>>) => Promise<BoardAnswer | null>;

/** Redis may be down; whoever looks is told so instead of waiting. */
const REDIS_WITHIN_MS = 3_000;
const TYPES: Readonly<Partial<Record<string, string>>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};

/**
 * The queue as its own library shows it, for engineers who look. It is read-only twice: the library is told so, and no route that
 * would change anything exists here. A job is a wake-up; what happens to a withdrawal is never decided by a queue. (OP04)
 */
export async function createQueueBoard(queue: WithdrawalQueue): Promise<QueueBoard> {
  // Half a second and ten megabytes, for a page that is hardly ever looked at: loaded when it is.
  const [{ createBullBoard }, { BullMQAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
  ]);
  const board = new Board();
  createBullBoard({
    queues: [
      new BullMQAdapter(queue.bull, { readOnlyMode: true, description: 'Wake-ups: losing all of them costs delay' }),
    ],
    serverAdapter: board,
    options: {
      uiBasePath: dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json')),
      uiConfig: { boardTitle: 'Withdrawal queue, read only', hideRedisDetails: true },
    },
  });
  return (path, query) => board.answer(path, query);
}

/** What the library asks of a server, for looks alone. */
class Board implements IServerAdapter {
  #queues: BullBoardQueues = new Map();
  #ui: UIConfig = {};
  #views = '';
  #statics = '';
  #entry: AppViewRoute | null = null;
  #looks: { pattern: RegExp; handler: AppControllerRoute['handler'] }[] = [];

  setQueues(queues: BullBoardQueues) {
    this.#queues = queues;
    return this;
  }
  setViewsPath(path: string) {
    this.#views = path;
    return this;
  }
  setStaticPath(_route: string, path: string) {
    this.#statics = path;
    return this;
  }
  setEntryRoute(route: AppViewRoute) {
    this.#entry = route;
    return this;
  }
  setErrorHandler() {
    return this;
  }
  setUIConfig(config: UIConfig) {
    this.#ui = config;
    return this;
  }
  setApiRoutes(routes: AppControllerRoute[]) {
    this.#looks = routes
      .filter(({ method }) => method === 'get')
      .flatMap(({ route, handler }) => [route].flat().map((one) => ({ pattern: patternOf(one), handler })));
    return this;
  }

  async answer(path: string, query: Readonly<Record<string, string>>): Promise<BoardAnswer | null> {
    if (path.startsWith('/static/')) return await this.#file(path.slice('/static/'.length));
    for (const { pattern, handler } of this.#looks) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const params = Object.fromEntries(
        Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
      );
      const asked = { queues: this.#queues, uiConfig: this.#ui, query, params, body: {}, headers: {} };
      const work = Promise.resolve(handler(asked));
      const { status, body } = await withDeadline(work, REDIS_WITHIN_MS, 'queue board');
      return { status: status ?? 200, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
    }
    const isPage = this.#entry !== null && [this.#entry.route].flat().some((route) => patternOf(route).test(path));
    return isPage ? await this.#page() : null;
  }

  async #file(name: string): Promise<BoardAnswer | null> {
    const file = join(this.#statics, normalize(`/${name}`));
    const contentType = TYPES[extname(file)];
    if (contentType === undefined) return null;
    const body = await readFile(file).catch(() => null);
    return body === null ? null : { status: 200, contentType, body };
  }

  async #page(): Promise<BoardAnswer | null> {
    if (this.#entry === null) return null;
    const { name, params } = this.#entry.handler({ basePath: QUEUE_BOARD_PATH, uiConfig: this.#ui });
    const values: Readonly<Record<string, unknown>> = params;
    const template = await readFile(join(this.#views, name), 'utf8');
    const body = template
      // Nothing of ours is fetched from elsewhere; the policy of the page would refuse it anyway.
      .replace(/<link href="https:[^>]*>/g, '')
      .replace(/<%[-=] (\w+) %>/g, (_, key: string) => String(values[key] ?? ''));
    return { status: 200, contentType: 'text/html; charset=utf-8', body };
  }
}

/** `/api/queues/:queueName` as an expression with a group for each name. */
function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`);
}
