import { setTimeout as sleep } from 'node:timers/promises';
import { NO_FAULT_POINTS, type ProofWorld } from '../proof-world.ts';

export type KeptProcess = 'web' | 'worker' | 'worker-2';

/** Starts again what died, with the next fault points to strike it. */
export interface Keeper {
  kill(name: KeptProcess): Promise<void>;
  /** Kills it and starts it again at once. @returns when it was started, on the clock of `performance.now()` */
  killAndReturn(name: KeptProcess): Promise<number>;
  pause(name: KeptProcess, forMs: number): Promise<void>;
  /** Asks it to end and waits: the clean shutdown. */
  restart(name: KeptProcess): Promise<void>;
  /** Keeps processes down while something is done, and starts them again. */
  without(names: readonly KeptProcess[], work: () => Promise<void>): Promise<void>;
  /** From now on processes start without fault points; those that have some are restarted. */
  disarm(): Promise<void>;
  /** Whatever nemesis did or fault points did; crashes that nobody ordered. */
  counts(): { readonly starts: number; readonly crashes: readonly string[] };
  stop(): Promise<void>;
}

const KEPT: readonly KeptProcess[] = ['web', 'worker', 'worker-2'];
const LOOK_EVERY_MS = 100;

/** @param input.nextRules what FAULT_POINTS a process starts with */
export function keepAlive(
  world: ProofWorld,
  input: { nextRules: (name: KeptProcess) => string; log: (line: string) => void },
): Keeper {
  const busy = new Set<KeptProcess>();
  let isArmed = true;
  let isStopped = false;
  let starts = 0;
  const crashes: string[] = [];

  const isRunning = (name: KeptProcess) =>
    world.stack.processes().some((process) => process.name === name && process.state === 'running');

  async function start(name: KeptProcess): Promise<void> {
    const rules = isArmed ? input.nextRules(name) : NO_FAULT_POINTS;
    starts += 1;
    try {
      await world.stack.start(name, { FAULT_POINTS: rules });
    } catch (error) {
      // Struck before it was ready, or Postgres was down: the next look starts it again.
      const text = error instanceof Error ? error.message : String(error);
      if (!/ended before it was ready|was not ready/.test(text)) throw error;
      const reason = /(Error: [^\n]{0,160})/.exec(text)?.[1];
      if (reason !== undefined && !/FaultPointError/.test(text)) crashes.push(`${name} did not start: ${reason}`);
    }
  }

  async function whileBusy(name: KeptProcess, work: () => Promise<void>): Promise<void> {
    while (busy.has(name)) await sleep(LOOK_EVERY_MS);
    busy.add(name);
    try {
      await work();
    } finally {
      busy.delete(name);
    }
  }

  async function watch(): Promise<void> {
    while (!isStopped) {
      await Promise.all(
        KEPT.filter((name) => !busy.has(name) && !isRunning(name)).map((name) => whileBusy(name, () => start(name))),
      );
      await sleep(LOOK_EVERY_MS);
    }
  }
  const watching = watch();

  const restart = (name: KeptProcess) =>
    whileBusy(name, async () => {
      await world.stack.stop(name);
      if (!isStopped) await start(name);
    });

  /** Takes the names one by one, so that no two who wait hold what the other needs. */
  const whileAllBusy = (names: readonly KeptProcess[], work: () => Promise<void>): Promise<void> => {
    const [name, ...more] = names;
    return name === undefined ? work() : whileBusy(name, () => whileAllBusy(more, work));
  };

  return {
    restart,
    without: (names, work) =>
      whileAllBusy(names, async () => {
        await Promise.all(names.map((name) => world.stack.stop(name)));
        try {
          await work();
        } finally {
          if (!isStopped) await Promise.all(names.map(start));
        }
      }),
    kill: (name) =>
      whileBusy(name, async () => {
        if (isRunning(name)) await world.stack.kill(name, 'SIGKILL').catch(() => undefined);
      }),
    killAndReturn: async (name) => {
      let startedAt = 0;
      await whileBusy(name, async () => {
        await world.stack.kill(name, 'SIGKILL');
        startedAt = performance.now();
        await start(name);
      });
      return startedAt;
    },
    pause: (name, forMs) =>
      whileBusy(name, async () => {
        if (!isRunning(name)) return;
        await world.stack.kill(name, 'SIGSTOP').catch(() => undefined);
        await sleep(forMs);
        if (isRunning(name)) await world.stack.kill(name, 'SIGCONT').catch(() => undefined);
      }),
    disarm: async () => {
      isArmed = false;
      await Promise.all(KEPT.map(restart));
    },
    counts: () => ({ starts, crashes }),
    stop: async () => {
      isStopped = true;
      await watching;
    },
  };
}
