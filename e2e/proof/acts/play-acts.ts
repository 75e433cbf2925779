import type { Act, ActTools } from './act.ts';
import { APPROVALS } from './approvals.ts';
import { MEMORY_LOSSES } from './custody-forgets.ts';
import { DOUBT_ENDS, WORKER_RETURNS } from './measured.ts';
import { NAMED_STEPS } from './named-steps.ts';
import { RESTORED_POSTGRES } from './restored-postgres.ts';
import { SIMULATED_NETWORKS } from './simulated-networks.ts';

/** In this order: what takes somebody's memory comes last. */
export const ACTS: readonly Act[] = [
  DOUBT_ENDS,
  WORKER_RETURNS,
  ...NAMED_STEPS,
  APPROVALS,
  SIMULATED_NETWORKS,
  ...MEMORY_LOSSES,
  RESTORED_POSTGRES,
];

export interface PlayedAct {
  readonly name: string;
  readonly durationMs: number;
  /** Null when it came to what it is about. */
  readonly failed: string | null;
}

/** Plays the acts one after the other; one that fails does not keep the next from its turn. */
export async function playActs(
  deps: { tools: ActTools; log: (line: string) => void; signal: AbortSignal },
  acts: readonly Act[],
): Promise<readonly PlayedAct[]> {
  const played: PlayedAct[] = [];
  for (const { name, run } of acts) {
    if (deps.signal.aborted) break;
    const startedAt = performance.now();
    let failed: string | null = null;
    try {
      await run(deps.tools);
    } catch (error) {
      failed = error instanceof Error ? error.message : String(error);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    deps.log(`act ${name}: ${failed ?? 'as written'}, ${(durationMs / 1_000).toFixed(1)} s`);
    played.push({ name, durationMs, failed });
  }
  return played;
}
