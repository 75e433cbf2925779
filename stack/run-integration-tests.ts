import { join } from 'node:path';
import type { Life } from './life.mjs';
import { keepProcesses } from './processes.ts';
import type { StepResult } from './run-step.ts';
import { runVitest } from './run-vitest.ts';
import { startServices } from './start-services.ts';
import { choosePorts } from './state-folder.ts';
import { stopInOrder } from './stop-in-order.ts';

/**
 * Runs the tests that need a real Postgres, Redis and chain, on servers of their own which end with them. The tests find
 * them by TEST_DATABASE_URL (the superuser's), TEST_REDIS_URL and TEST_CHAIN_RPC_URL.
 */
export async function runIntegrationTests(
  deps: { life: Life; log: (line: string) => void },
  input: { stateFolder: string },
): Promise<StepResult> {
  const { life, log } = deps;
  const stateFolder = join(input.stateFolder, 'integration');
  const ports = await choosePorts(stateFolder, {});
  const processes = keepProcesses({
    stateFolder,
    signal: life.signal,
    onUnexpectedExit: (name, reason) => log(`${name} ${reason}`),
  });
  const end = () => stopInOrder({ processes, log });
  const forget = life.onStop({ stop: end, force: processes.killAll });
  try {
    const { urls } = await startServices(
      { life, log, processes },
      { stateFolder, ports, given: {}, custodyCluster: 'shared' },
    );
    return await runVitest(deps, {
      project: 'integration',
      stateFolder: input.stateFolder,
      env: {
        TEST_DATABASE_URL: urls.adminDatabase ?? '',
        TEST_REDIS_URL: urls.redis,
        TEST_CHAIN_RPC_URL: urls.chain,
      },
    });
  } finally {
    await end();
    forget();
  }
}
