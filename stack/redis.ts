import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isRedisUp } from './probes.ts';
import type { ProcessSpec } from './processes.ts';

/**
 * Redis as the queue needs it: nothing is evicted (an evicted job is a lost wake-up) and the append-only file survives a
 * restart. Losing all of it would cost delay only.
 */
export function redisSpec(input: { program: string; port: number; stateFolder: string }): ProcessSpec {
  const folder = join(input.stateFolder, 'redis');
  mkdirSync(folder, { recursive: true });
  const options = {
    port: String(input.port),
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    'maxmemory-policy': 'noeviction',
    save: '',
    daemonize: 'no',
    // Rewriting at 64 MB is for big data sets; ours is small, and a rewrite is a fork.
    hz: '10',
  };
  return {
    name: 'redis',
    command: input.program,
    args: Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    env: { PATH: process.env.PATH },
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
    isReady: () => isRedisUp(input.port),
    readyWithinMs: 20_000,
  };
}

export function redisUrl(port: number): string {
  return `redis://127.0.0.1:${port}`;
}
