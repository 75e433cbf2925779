import type { Server } from 'node:http';
import { logger } from '#server/logger.ts';

/** Whoever started us waits longer than this; whoever asked something is answered much sooner. */
const FINISH_WITHIN_MS = 5_000;

/** Calls that run longer are cut: their askers ask again, by id or by key. Sockets of a development page never end. */
const ANSWER_WITHIN_MS = 3_000;

/** How often connections that have had their answer are looked for. */
const LOOK_EVERY_MS = 50;

/**
 * Ends the process in order on SIGTERM or SIGINT: no new calls, those that run are finished, then what they needed is
 * closed. A second signal, or five seconds, ends it at once. A bug that nobody caught ends it in the same order.
 */
export function stopOnSignal(input: { begin: () => void; server: Server; finish: () => Promise<void> }): void {
  let stopping = false;
  const stop = async (reason: string, exitCode: number) => {
    if (stopping) process.exit(1);
    stopping = true;
    logger().info('web.stopping', { reason });
    setTimeout(() => {
      logger().warn('web.stopped_late', { reason });
      process.exit(1);
    }, FINISH_WITHIN_MS).unref();
    input.begin();
    await closeServer(input.server);
    await input.finish();
    logger().info('web.stopped', { reason });
    process.exit(exitCode);
  };
  const begin = (reason: string, exitCode: number) => {
    stop(reason, exitCode).catch((error: unknown) => {
      logger().error('web.stop_failed', error);
      process.exit(1);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => begin(signal, 0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      logger().error('web.bug', error);
      begin(event, 1);
    });
  }
}

/** Resolves when every call is answered, or was cut. Connections that only wait for a next call are ended. */
async function closeServer(server: Server): Promise<void> {
  let isClosed = false;
  server.close(() => {
    isClosed = true;
  });
  const startedAt = performance.now();
  while (!isClosed && performance.now() - startedAt < ANSWER_WITHIN_MS) {
    // A connection that was busy a moment ago may be idle now.
    server.closeIdleConnections();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  server.closeAllConnections();
}
