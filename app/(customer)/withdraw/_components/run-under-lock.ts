const LOCK_WAIT_MS = 2_000; // What runs under the lock takes microseconds; a frozen tab must not hold up a press.

/**
 * Runs a short piece of work alone among this browser's tabs, where the browser has Web Locks; elsewhere at once. The
 * lock keeps two tabs from minting two keys for one review. The server does not rely on it.
 */
export async function runUnderLock<T>(name: string, work: () => T): Promise<T> {
  if (!('locks' in navigator)) return work();
  const waited = AbortSignal.timeout(LOCK_WAIT_MS);
  let result: { value: T } | undefined;
  try {
    await navigator.locks.request(name, { signal: waited }, () => {
      result = { value: work() };
    });
  } catch (error) {
    if (!waited.aborted || result !== undefined) throw error;
  }
  return result === undefined ? work() : result.value;
}
