// Dependency-free: it must work before anything is installed.

/** Lines for people who wait: each begins with the seconds since the start. */
export function logWithTime() {
  /** @param {string} line */
  return (line) => console.log(`[${(performance.now() / 1000).toFixed(1).padStart(5)} s] ${line}`);
}
