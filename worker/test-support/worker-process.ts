import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type DispatchWorld, until } from './dispatch-world.ts';

/** A worker as it is started for real, on the database and the custody of a test. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** What it has logged so far, and what it said about its own end. */
  log(): string;
  untilLogged(event: string): Promise<void>;
  /** Its exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

export async function startWorkerProcess(
  world: DispatchWorld,
  input: { parts: readonly string[]; redisUrl?: string },
): Promise<WorkerProcess> {
  const [database] = await world.rows('select current_database() as name');
  const url = Object.assign(new URL(process.env.TEST_DATABASE_URL ?? ''), { pathname: `/${database?.name}` });
  const main = join(import.meta.dirname, '..', 'main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...input.parts], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: url.href,
      REDIS_URL: input.redisUrl ?? world.redisUrl,
      CUSTODY_URL: world.custody.url,
      CUSTODY_API_KEY: 'test',
      CUSTODY_WEBHOOK_SECRET: 'whsec_dGVzdC10ZXN0LXRlc3QtdGVzdC10ZXN0LXRlc3Q=',
      PUBLIC_URL: 'http://localhost:3000',
      AUTH_SECRET: 'a secret that only tests know, of some length',
      PROTOCOL_TIMES: 'proof',
    },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      log += bytes.toString('utf8');
    });
  }
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  return {
    child,
    ended,
    log: () => log,
    untilLogged: (event) =>
      until(`it says ${event}`, () => Promise.resolve(log.includes(`"event":"${event}"`)), 40_000),
  };
}
