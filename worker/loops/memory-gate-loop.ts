import { logger } from '#server/logger.ts';
import { checkMemoryAtStart } from '#server/reconciliation/check-memory-at-start.ts';
import { findWalkDelayMs } from '#server/reconciliation/find-walk-delay.ts';
import { giveSignOfLife } from '#server/reconciliation/give-sign-of-life.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

/**
 * Nothing is claimed, sent or resolved before custody's list was walked: only then is it known that our own memory is not
 * older than the world. Custody away keeps the gate shut, which costs nothing: nothing could be sent either.
 */
export function startMemoryGateLoop(tools: WorkerTools, input: { onOpen: (walked: { life: string }) => void }): Loop {
  const { times } = tools;
  const startedAt = performance.now();
  let delayMs: number | null = null;
  let isOpen = false;
  let isStopping = false;
  const loop = startLoop({
    name: 'memory',
    idleMs: times.resolverIdleMs,
    runOnce: async () => {
      if (isOpen) return { again: false };
      // Read once and before any sign of life of our own.
      delayMs ??= await findWalkDelayMs(tools);
      if (performance.now() - startedAt < delayMs) return { again: false };
      const checked = await checkMemoryAtStart(tools);
      if (checked.kind === 'failed' || isStopping) return { again: false };
      // Nothing is claimed without it. Restored behind the walk, the list is walked again.
      if (!(await giveSignOfLife(tools, { life: checked.life }))) return { again: false };
      isOpen = true;
      logger().info('memory.checked', { waitedMs: Math.round(performance.now() - startedAt) });
      input.onOpen({ life: checked.life });
      return { again: false };
    },
  });
  return {
    ...loop,
    stop: () => {
      isStopping = true;
      return loop.stop();
    },
  };
}
