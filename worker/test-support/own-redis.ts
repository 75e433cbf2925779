import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Life } from '#stack/life.mjs';
import { findFreePort } from '#stack/state-folder.ts';
import { findRedisServer } from '#stack/system-packages.mjs';
import { until } from './dispatch-world.ts';

/** A Redis of one test's own, which keeps nothing but the snapshots that it is told to write. */
export interface OwnRedis {
  readonly url: string;
  /** Answers when it takes commands. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Gone at once, with whatever it had not written down. */
  kill(): Promise<void>;
  /** Writes what it holds now; the next start begins with that. */
  snapshot(): Promise<void>;
  /** One command, by a connection of its own. */
  run(command: string, ...values: string[]): Promise<unknown>;
  remove(): Promise<void>;
}

export async function createOwnRedis(): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'own-redis-'));
  const port = await findFreePort();
  const program = await findRedisServer({ life: UNENDING, log: () => undefined }, { stateFolder: folder });
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | null = null;
  const run: OwnRedis['run'] = async (command, ...values) => {
    const client = new Redis(url, { retryStrategy: null, maxRetriesPerRequest: 0 });
    client.on('error', () => undefined);
    try {
      return await client.call(command, ...values);
    } finally {
      client.disconnect();
    }
  };
  const kill = async () => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url,
    run,
    kill,
    async start(settings = {}) {
      const all = {
        port: String(port),
        bind: '127.0.0.1',
        dir: folder,
        save: '',
        'maxmemory-policy': 'noeviction',
        ...settings,
      };
      const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
      server = spawn(program, args, { stdio: 'ignore' });
      await until('Redis answers', () =>
        run('ping').then(
          () => true,
          () => false,
        ),
      );
    },
    async snapshot() {
      await run('save');
    },
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing here has to end with the process that runs the tests. */
const UNENDING: Life = {
  signal: new AbortController().signal,
  onStop: () => () => undefined,
  isReady: () => undefined,
  end: () => new Promise<never>(() => undefined),
};
