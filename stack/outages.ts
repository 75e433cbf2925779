import { setTimeout as sleep } from 'node:timers/promises';
import type { Outage } from './control-order.ts';

const START_TRIES = 20;
// What a stopped Postgres leaves behind in shared memory is gone within a second or two.
const START_EVERY_MS = 500;

type Breakable = {
  start: (name: string) => Promise<void>;
  stop: (name: string) => Promise<void>;
  kill: (name: string, signal: NodeJS.Signals) => Promise<void>;
};

export type Outages = {
  /** Stops a process, or keeps it silent, and brings it back after a while. One at a time for each. */
  begin: (order: { name: string; how: 'stop' | 'pause'; forMs: number }) => Promise<void>;
  list: () => Outage[];
  /** Nothing is brought back any more: whoever owns the processes ends them. */
  close: () => void;
};

/** Outages that end by themselves: whoever ordered one may be cut off by it. */
export function keepOutages(stack: Breakable): Outages {
  const running = new Map<string, { until: string }>();
  const ending = new AbortController();

  async function end(name: string, how: 'stop' | 'pause'): Promise<void> {
    if (how === 'pause') return await stack.kill(name, 'SIGCONT');
    for (let tried = 1; ; tried += 1) {
      try {
        return await stack.start(name);
      } catch (error) {
        if (ending.signal.aborted || tried >= START_TRIES) throw error;
        await sleep(START_EVERY_MS, undefined, { signal: ending.signal });
      }
    }
  }

  return {
    begin: async ({ name, how, forMs }) => {
      if (running.has(name)) throw new Error(`${name} is out already`);
      const outage = { until: new Date(Date.now() + forMs).toISOString() };
      running.set(name, outage);
      try {
        await (how === 'stop' ? stack.stop(name) : stack.kill(name, 'SIGSTOP'));
      } catch (error) {
        running.delete(name);
        throw error;
      }
      sleep(forMs, undefined, { signal: ending.signal })
        .then(() => end(name, how))
        // It died meanwhile, or everything ends: whoever started it has said so.
        .catch(() => undefined)
        .finally(() => running.delete(name));
    },
    list: () => [...running].map(([name, { until }]) => ({ name, until })),
    close: () => ending.abort(),
  };
}
