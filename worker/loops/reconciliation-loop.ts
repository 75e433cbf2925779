import { logger } from '#server/logger.ts';
import { beginRun } from '#server/reconciliation/begin-run.ts';
import { checkMemoryAtStart } from '#server/reconciliation/check-memory-at-start.ts';
import { findWalkDelayMs } from '#server/reconciliation/find-walk-delay.ts';
import { giveSignOfLife } from '#server/reconciliation/give-sign-of-life.ts';
import { runReconciliation } from '#server/reconciliation/run-reconciliation.ts';
import { writeSignOfLife } from '#server/reconciliation/write-sign-of-life.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

// People who press the button look at the screen.
const LOOK_INTERVAL_MAX_MS = 1_000;

/**
 * Compares the books when their interval has passed or somebody asks; of several workers one does it. A database that was restored or
 * started again behind our back gets no sign of life before custody's list was walked anew.
 *
 * @param input.life in which the list was walked at our start
 */
export function startReconciliationLoop(tools: WorkerTools, input: { life: string }): Loop {
  const { times } = tools;
  let { life } = input;
  let walkAt: number | null = null;
  let lastSignAt = Number.NEGATIVE_INFINITY;
  return startLoop({
    name: 'reconciliation',
    idleMs: Math.min(LOOK_INTERVAL_MAX_MS, times.aliveIntervalMs),
    runOnce: async () => {
      if (performance.now() - lastSignAt >= times.aliveIntervalMs) {
        if (!(await writeSignOfLife(tools, { life }))) {
          walkAt ??= performance.now() + (await findWalkDelayMs(tools));
          if (performance.now() < walkAt) return { again: false };
          const checked = await checkMemoryAtStart(tools);
          if (checked.kind === 'failed') return { again: false };
          if (!(await giveSignOfLife(tools, { life: checked.life }))) return { again: false };
          life = checked.life;
          walkAt = null;
          logger().warn('memory.checked_again', { life });
        }
        lastSignAt = performance.now();
      }
      const begun = await beginRun(tools, { intervalMs: times.reconcileIntervalMs });
      if (begun === null) return { again: false };
      await runReconciliation(tools, { runId: begun.runId, windowMs: times.reconcileWindowMs });
      return { again: false };
    },
  });
}
