/** Requests for withdrawals of one customer in one minute: far above what a program of theirs needs. */
const REQUESTS_PER_MINUTE = 6_000;
const WINDOW_MS = 60_000;

/**
 * Counts requests for withdrawals of each customer in this process; true while they are within the limit. On purpose not in
 * Redis: nobody who asks for money waits for Redis, and behind it stands the breaker, which counts in the database.
 *
 * @param input.nowMs a clock that never goes back
 */
export function createRequestLimit(input: {
  perMinute?: number;
  nowMs: () => number;
}): (customerId: string) => boolean {
  const { perMinute = REQUESTS_PER_MINUTE, nowMs } = input;
  let windowStart = nowMs();
  let counts = new Map<string, number>();
  return (customerId) => {
    const now = nowMs();
    if (now - windowStart >= WINDOW_MS) {
      windowStart = now;
      counts = new Map();
    }
    const count = (counts.get(customerId) ?? 0) + 1;
    counts.set(customerId, count);
    return count <= perMinute;
  };
}
