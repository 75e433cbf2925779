/** Waits for a condition, never for a time: asks until the answer is neither null nor false, and gives up with its name. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | null | false> | T | null | false,
  withinMs = 20_000,
): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (performance.now() > until) throw new Error(`${what}: not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
