import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateClient } from '#stack/generate-client.ts';
import type { Life } from '#stack/life.mjs';
import { endLeftovers } from '#stack/process-records.ts';
import { keepProcesses } from '#stack/processes.ts';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { startServices } from '#stack/start-services.ts';
import { choosePorts } from '#stack/state-folder.ts';
import { stopInOrder } from '#stack/stop-in-order.ts';
import { keepResult } from '../proof/keep-result.ts';
import { MUTANTS } from './mutants.ts';
import { runMutants } from './run-mutants.ts';

const STATE = join(PROJECT_ROOT, '.state-mutants');

/** `npm run mutants`, or some of them by parts of their names; `--json FILE`. Ends the process: 0 when each was killed. */
export async function command(
  deps: { life: Life; log: (line: string) => void },
  input: { args: readonly string[] },
): Promise<void> {
  const { life, log } = deps;
  const { values, positionals } = parseArgs({
    args: [...input.args],
    options: { json: { type: 'string' } },
    allowPositionals: true,
  });
  const mutants = MUTANTS.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  await endLeftovers(STATE);
  const ports = await choosePorts(STATE, {});
  const processes = keepProcesses({
    stateFolder: STATE,
    signal: life.signal,
    onUnexpectedExit: (name, reason) => log(`${name} ${reason}`),
  });
  const end = () => stopInOrder({ processes, log });
  life.onStop({ stop: end, force: processes.killAll });
  const services = { stateFolder: STATE, ports, given: {}, custodyCluster: 'shared' } as const;
  // The named tests stand on the database client, which a fresh clone has not written yet.
  const [{ urls }] = await Promise.all([startServices({ life, log, processes }, services), generateClient(deps)]);
  const verdicts = await runMutants(deps, {
    mutants,
    folder: join(STATE, 'sources'),
    env: {
      TEST_DATABASE_URL: urls.adminDatabase ?? '',
      TEST_REDIS_URL: urls.redis,
      TEST_CHAIN_RPC_URL: urls.chain,
    },
    report: ({ name, test, kind, detail, durationMs }) => {
      console.log(`  ${kind.padEnd(8)}  ${name}  (${Math.round(durationMs / 1_000)} s)`);
      console.log(`            by ${test.file}: ${test.named}\n            ${detail}`);
    },
  });
  const killed = verdicts.filter(({ kind }) => kind === 'killed').length;
  const survived = verdicts.filter(({ kind }) => kind === 'survived').length;
  const notRun = mutants.length - killed - survived;
  const summary = `mutants: ${mutants.length}, ${killed} killed, ${survived} survived, ${notRun} without a verdict`;
  if (values.json !== undefined) keepResult(values.json, { summary, passed: killed === mutants.length, verdicts });
  console.log(summary);
  await life.end(killed === mutants.length ? 0 : 1);
}
