import { beginRun } from '#server/reconciliation/begin-run.ts';
import { runReconciliation } from '#server/reconciliation/run-reconciliation.ts';
import { writeSignOfLife } from '#server/reconciliation/write-sign-of-life.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

// People who press the button look at the screen.
const LOOK_INTERVAL_MAX_MS = 1_000;

/** Compares the books when their interval has passed or somebody asks; of several workers one does it. */
export function startReconciliationLoop(tools: WorkerTools): Loop {
  const { times } = tools;
  let lastSignAt = Number.NEGATIVE_INFINITY;
  return startLoop({
    name: 'reconciliation',
    idleMs: Math.min(LOOK_INTERVAL_MAX_MS, times.aliveIntervalMs),
    runOnce: async () => {
      if (performance.now() - lastSignAt >= times.aliveIntervalMs) {
        await writeSignOfLife(tools);
        lastSignAt = performance.now();
      }
      const begun = await beginRun(tools, { intervalMs: times.reconcileIntervalMs });
      if (begun === null) return { again: false };
      await runReconciliation(tools, { runId: begun.runId, windowMs: times.reconcileWindowMs });
      return { again: false };
    },
  });
}
