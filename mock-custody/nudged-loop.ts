/** Work that starts when somebody nudges it, runs one round at a time and never waits for a timer on the happy path. */
export type NudgedLoop = { nudge(): void; stop(): Promise<void> };

// After a round that threw: soon enough for a restarting node or database, seldom enough to harm neither.
const RETRY_MS = 500;

/**
 * `runOnce` answers after how many milliseconds it wants to be called again: 0 at once, null only when nudged. A round
 * that throws is reported and tried again.
 */
export function startNudgedLoop(runOnce: () => Promise<number | null>, onError: (cause: unknown) => void): NudgedLoop {
  let running: Promise<void> | null = null;
  let wanted = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    let again: number | null = 0;
    while (!stopped && (wanted || again === 0)) {
      wanted = false;
      try {
        again = await runOnce();
      } catch (cause) {
        onError(cause);
        again = RETRY_MS;
        wanted = false; // A nudge must not turn a broken neighbour into a busy loop: the timer alone goes on.
      }
    }
    if (!stopped && again !== null) timer = setTimeout(nudge, again);
  }

  function nudge(): void {
    wanted = true;
    if (stopped || running !== null) return;
    clearTimeout(timer);
    // Started a moment later, so that a round which nudges at once finds itself running.
    running = Promise.resolve()
      .then(run)
      .finally(() => {
        running = null;
        if (wanted) nudge();
      });
  }

  return {
    nudge,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
