import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks until the condition holds.
 *
 * @throws after `withinMs`, naming what did not happen; and at once when the signal is aborted
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  input: { what: string; withinMs: number; signal?: AbortSignal; everyMs?: number },
): Promise<void> {
  const deadline = performance.now() + input.withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${input.what} within ${input.withinMs} ms`);
    // 25 ms: a start waits for eight things in a row, and a tenth of a second each would be felt.
    await sleep(input.everyMs ?? 25, undefined, input.signal ? { signal: input.signal } : {});
  }
}
