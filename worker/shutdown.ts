import closeWithGrace from 'close-with-grace';
import { logger } from '#server/logger.ts';

/**
 * Ends the worker on SIGTERM, SIGINT or SIGHUP: stop taking, finish what runs or leave it in doubt, close. A second signal, or the
 * end of the grace, ends it at once; the rows say where each withdrawal stands. A bug that nobody caught ends it in the same order.
 */
export function shutDownOnSignal(options: { graceMs: number; close: () => Promise<void> }): void {
  closeWithGrace({ delay: options.graceMs, logger: null }, async ({ signal, err }) => {
    const reason = signal ?? (err === undefined ? 'asked' : 'bug');
    if (err !== undefined) logger().error('worker.bug', err);
    logger().info('worker.stopping', { reason });
    await options.close();
    logger().info('worker.stopped', { reason });
  });
}
