/**
 * Stops the job on a bug. A refusal and an unknown outcome are values; only what must never be is thrown.
 *
 * @throws Error naming the broken promise when the condition does not hold
 */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/**
 * The last line of every switch: the compiler proves that no case is missing, and data that slipped past it is a bug.
 *
 * @throws Error always
 */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`);
}
