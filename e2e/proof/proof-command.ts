import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tryFileLock } from '#stack/file-lock.mjs';
import type { Life } from '#stack/life.mjs';
import { endLeftovers } from '#stack/process-records.ts';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { readNamedPorts } from '#stack/state-folder.ts';
import { printResult } from './print-result.ts';
import { startProofWorld } from './proof-world.ts';
import { runProof } from './run-proof.ts';

// Apart from a started stack and from tests in everything: state, ports, build.
const STATE = join(PROJECT_ROOT, '.state-proof');
const BUILD = { buildFolder: '.build-proof', nextDistDir: '.next-proof' };
// A thousand withdrawals take some minutes; whatever hangs ends with an answer.
const WITHIN_MS_FIXED = 6 * 60_000;
const WITHIN_MS_EACH = 300;

/**
 * `npm run proof`: a stack of its own, N withdrawals under faults, and a verdict from custody's log and the chain. Ends
 * the process: 0 only when every promise held.
 */
export async function command(
  deps: { life: Life; log: (line: string) => void },
  input: { args: string[]; env: NodeJS.ProcessEnv },
): Promise<void> {
  const { life, log } = deps;
  const { values } = parseArgs({
    args: input.args,
    options: {
      withdrawals: { type: 'string', default: '1000' },
      seed: { type: 'string' },
      faults: { type: 'string', default: 'all' },
      rate: { type: 'string', default: '5' },
      json: { type: 'string' },
    },
  });
  const withdrawals = readCount('withdrawals', values.withdrawals);
  const seed = values.seed === undefined ? 1 + Math.floor(Math.random() * 999_999_999) : readCount('seed', values.seed);
  const perSecond = readCount('rate', values.rate);
  takeLock(deps);
  await endLeftovers(STATE);
  rmSync(STATE, { recursive: true, force: true });
  log(`seed ${seed}: ${withdrawals} withdrawals, faults: ${values.faults}`);
  const world = await startProofWorld(deps, {
    stateFolder: STATE,
    build: BUILD,
    namedPorts: readNamedPorts(input.env),
    // The nemesis orders most ends; what dies unordered is started again and shows in the processes' own logs.
    onUnexpectedExit: () => undefined,
  });
  const late = AbortSignal.timeout(WITHIN_MS_FIXED + withdrawals * WITHIN_MS_EACH);
  const signal = AbortSignal.any([life.signal, late]);
  const result = await runProof({ world, log, signal }, { withdrawals, seed, faults: values.faults, perSecond });
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 1)}\n`);
  await world.close();
  console.log(printResult(result));
  await life.end(result.passed ? 0 : 1);
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} ${text} is no whole number above zero`);
  return count;
}

function takeLock({ life }: { life: Life }): void {
  const lock = tryFileLock(join(PROJECT_ROOT, BUILD.buildFolder, 'proof.lock'));
  if (lock.kind === 'held') throw new Error(`a proof runs here already (process ${lock.by.pid})`);
  life.onStop({ stop: lock.release });
}
