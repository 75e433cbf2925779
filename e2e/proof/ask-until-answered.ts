import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until there is an answer: the questions of a run survive the faults of a run.
 *
 * @param input.isPassing whether an error may be gone at the next try; any other is thrown at once
 * @throws the last error, when `withinMs` have passed
 */
export async function askUntilAnswered<Answer>(
  ask: () => Promise<Answer>,
  input: { withinMs: number; everyMs?: number; isPassing: (error: unknown) => boolean },
): Promise<Answer> {
  const deadline = performance.now() + input.withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!input.isPassing(error) || performance.now() > deadline) throw error;
      await sleep(input.everyMs ?? 250);
    }
  }
}
