import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchProcess, BenchWorld } from '../harness/bench-world.ts';

/** A process of a contestant that is killed, paused and started again, as whatever runs it in production would. */
export interface Mortal {
  readonly port: number;
  /** Resolves when it is gone; it is started again by itself. */
  kill(): Promise<void>;
  pause(ms: number): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_MS = 200;

/** Starts it, and again whenever it is gone, a crash of its own included. */
export async function startMortal(world: BenchWorld, ...[bundle, env, ready]: Parameters<BenchWorld['start']>) {
  const port = ready?.port ?? (await world.freePort());
  const start = () => world.start(bundle, env, { path: '/ready', portVariable: 'PORT', ...ready, port });
  let current: BenchProcess = await start();
  let isStopping = false;
  const watch = async () => {
    while (!isStopping) {
      await sleep(LOOK_MS);
      if (isStopping || isAlive(current.pid)) continue;
      // What it needs may be away: then it ends before it is ready, and is started once more.
      current = await start().catch(() => current);
    }
  };
  const watching = watch();
  const mortal: Mortal = {
    port,
    kill: () => current.kill(),
    pause: async (ms) => {
      const { pid } = current;
      if (!signal(pid, 'SIGSTOP')) return;
      await sleep(ms);
      signal(pid, 'SIGCONT');
    },
    stop: async () => {
      isStopping = true;
      await watching;
      await current.kill();
    },
  };
  return mortal;
}

function isAlive(pid: number): boolean {
  return signal(pid, 0);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // It is gone.
  }
}
