/** A measurement and when it was made, in hours. */
export interface Point {
  readonly atHours: number;
  readonly value: number;
}

/** By how much the values rise in an hour: the line of least squares. Null of fewer than two. */
export function slopeAnHour(points: readonly Point[]): number | null {
  if (points.length < 2) return null;
  const mean = (pick: (point: Point) => number) => points.reduce((sum, one) => sum + pick(one), 0) / points.length;
  const [atMean, valueMean] = [mean(({ atHours }) => atHours), mean(({ value }) => value)];
  const spread = points.reduce((sum, { atHours }) => sum + (atHours - atMean) ** 2, 0);
  const together = points.reduce((sum, { atHours, value }) => sum + (atHours - atMean) * (value - valueMean), 0);
  return spread === 0 ? null : together / spread;
}
