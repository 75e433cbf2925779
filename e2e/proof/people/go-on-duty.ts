import { setTimeout as sleep } from 'node:timers/promises';
import type { Staff } from './staff.ts';

// What ends by itself has mostly ended by then.
const EVERY_MS = 4_000;

/** The staff come by every few seconds, whatever is broken just then, until they are sent home. */
export function goOnDuty(staff: Staff, { log }: { log: (line: string) => void }): { stop(): Promise<void> } {
  const shift = new AbortController();
  const { signal } = shift;
  const work = async () => {
    while (!signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await staff.comeBy().catch((error: unknown) => log(`staff: ${error instanceof Error ? error.message : error}`));
    }
  };
  const working = work();
  return {
    stop: async () => {
      shift.abort();
      await working;
    },
  };
}
