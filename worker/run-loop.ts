import { logger } from '#server/logger.ts';

/** What one turn of a loop came to. `again`: there is more, so do not sleep. `restMs`: how long to sleep instead of the loop's own time. */
export interface Turn {
  readonly again: boolean;
  readonly restMs?: number;
}

export interface Loop {
  readonly name: string;
  /** Ends the present sleep; does nothing while a turn runs, which then runs once more. */
  nudge(): void;
  /** Begins no further turn, and resolves when the present one has ended. */
  stop(): Promise<void>;
  /** Milliseconds since the last turn ended well, on the process clock. */
  sinceLastTurnMs(): number;
}

export interface LoopOptions {
  readonly name: string;
  readonly runOnce: () => Promise<Turn>;
  /** Between two turns when nobody nudges. */
  readonly idleMs: number;
  /** The longest wait after turns that failed one after the other. */
  readonly errorWaitMaxMs?: number;
}

/**
 * Turns `runOnce` for ever: at once while there is more to do, else after a sleep that a nudge ends. A turn that throws is
 * logged and waited for longer each time; what it was about stands in the database and is found again.
 */
export function startLoop(options: LoopOptions): Loop {
  const { name, idleMs, errorWaitMaxMs = 5_000 } = options;
  let stopping = false;
  let nudged = false;
  let wake: () => void = () => undefined;
  let endedAt = performance.now();
  let failures = 0;

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const turn = async (): Promise<number> => {
    nudged = false;
    try {
      const { again, restMs } = await options.runOnce();
      endedAt = performance.now();
      failures = 0;
      return again ? 0 : (restMs ?? idleMs);
    } catch (error) {
      failures += 1;
      logger().error('loop.turn_failed', error, { name, failures });
      return Math.min(errorWaitMaxMs, idleMs * 2 ** Math.min(failures, 6));
    }
  };

  const run = async () => {
    while (!stopping) {
      const waitMs = await turn();
      // A nudge that came during a good turn may concern what that turn no longer saw.
      if (!stopping && !(nudged && failures === 0) && waitMs > 0) await sleep(waitMs);
    }
  };
  const done = run();

  return {
    name,
    nudge: () => {
      nudged = true;
      wake();
    },
    stop: async () => {
      stopping = true;
      wake();
      await done;
    },
    sinceLastTurnMs: () => performance.now() - endedAt,
  };
}
