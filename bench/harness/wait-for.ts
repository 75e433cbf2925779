// Often enough that the wait is no part of the figure, seldom enough to cost nobody anything.
const LOOK_EVERY_MS = 20;
const WITHIN_MS = 120_000;

/** @throws when it is not so within two minutes */
export async function waitFor(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what} did not come to their end within ${WITHIN_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
