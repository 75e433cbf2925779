/** A median and what it lies between. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @throws when there is nothing to sum up */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((left, right) => left - right);
  return { median: percentile(sorted, 0.5), min: percentile(sorted, 0), max: percentile(sorted, 1) };
}

/** @param sorted in rising order @throws when it is empty */
export function percentile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}
