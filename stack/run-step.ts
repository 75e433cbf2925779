import type { Life } from './life.mjs';

/** How many tests of a step passed and failed. Skipped ones are among the failed: nobody knows what they would say. */
export type StepResult = { passed: number; failed: number };

/** What several steps, or several lanes of one, come to. */
export function sumResults(results: readonly StepResult[]): StepResult {
  return results.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}

/** Runs a step and says what it did and how long it took. What throws has failed, and the next step still runs. */
export async function runStep(
  deps: { life: Life; log: (line: string) => void },
  step: { name: string; run: () => Promise<StepResult> },
): Promise<StepResult> {
  const startedAt = performance.now();
  const result = await step.run().catch((error: unknown) => {
    deps.life.signal.throwIfAborted();
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const verdict = result.failed === 0 ? 'ok' : 'FAILED';
  deps.log(`${step.name}: ${verdict} (${result.passed} passed, ${result.failed} failed, ${seconds} s)`);
  return result;
}
