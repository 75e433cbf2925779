import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ControlAnswer, ControlOrder } from './control-order.ts';
import { keepOutages, type Outages } from './outages.ts';
import type { ProcessState } from './processes.ts';

/** What may be broken and mended: a stack, or a part of one. */
export type Controlled = {
  processes: () => ProcessState[];
  start: (name: string, env?: Record<string, string>) => Promise<void>;
  stop: (name: string) => Promise<void>;
  kill: (name: string, signal: NodeJS.Signals) => Promise<void>;
};

/**
 * Lets other processes break and mend the stack: one order a request, answered when it is done. On the loopback and
 * behind a token, for whoever may send a SIGKILL owns the machine.
 *
 * @param options.only the processes that it reaches, by name; default all, for tests
 * @param options.outages which it may take away for a while, besides; default all
 */
export async function serveControl(
  stack: Controlled,
  options: { only?: RegExp; outages?: RegExp } = {},
): Promise<{ url: string; token: string; close: () => void }> {
  const reach = { only: options.only ?? /./, outages: options.outages ?? /./ };
  const outages = keepOutages(stack);
  const token = randomBytes(24).toString('base64url');
  const server = createServer(async (request, response) => {
    const answer =
      request.headers.authorization === `Bearer ${token}`
        ? await obey({ stack, outages }, reach, request)
        : refused('wrong token');
    response.writeHead(answer.ok ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    outages.close();
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, token, close };
}

type Reach = { only: RegExp; outages: RegExp };

async function obey(
  { stack, outages }: { stack: Controlled; outages: Outages },
  reach: Reach,
  request: IncomingMessage,
): Promise<ControlAnswer> {
  let body = '';
  for await (const chunk of request) body += chunk;
  const parsed = ControlOrder.safeParse(JSON.parse(body));
  if (!parsed.success) return refused(parsed.error.message);
  const order = parsed.data;
  const within = order.deed === 'outage' ? reach.outages : reach.only;
  if (order.deed !== 'list' && !within.test(order.name)) return refused(`${order.name} is not to be touched`);
  try {
    switch (order.deed) {
      case 'list':
        break;
      case 'start':
        await stack.start(order.name, order.env);
        break;
      case 'stop':
        await stack.stop(order.name);
        break;
      case 'kill':
        await stack.kill(order.name, order.signal);
        break;
      case 'outage':
        await outages.begin(order);
        break;
    }
    const processes = stack.processes().filter(({ name }) => reach.only.test(name));
    return { ok: true, processes, outages: outages.list() };
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

function refused(reason: string): ControlAnswer {
  return { ok: false, reason };
}
