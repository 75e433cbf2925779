import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitUntil } from './wait-until.ts';

export type CustodyProcess = {
  kill: () => Promise<void>;
  terminate: () => Promise<number | null>;
  exited: () => boolean;
};

/** The provider as a process of its own, so that it can be killed for good. */
export async function spawnCustody(env: Record<string, string>): Promise<CustodyProcess> {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', main], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'test', ...env },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const exited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await waitUntil(
    'the provider listens',
    async () => {
      if (exited()) throw new Error(`the provider ended with ${child.exitCode ?? child.signalCode}`);
      const ready = await fetch(`http://127.0.0.1:${env.CUSTODY_PORT}/health/ready`).catch(() => null);
      return ready?.status === 200;
    },
    30_000,
  );
  return {
    exited,
    async kill() {
      child.kill('SIGKILL');
      if (!exited()) await exit;
    },
    async terminate() {
      child.kill('SIGTERM');
      if (!exited()) await exit;
      return child.exitCode;
    },
  };
}
