import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tryFileLock } from '#stack/file-lock.mjs';
import type { Life } from '#stack/life.mjs';
import { endLeftovers } from '#stack/process-records.ts';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { readNamedPorts } from '#stack/state-folder.ts';
import { nameOf } from './matrix/cell.ts';
import { describeResult, type MatrixInput, runMatrix, summarizeMatrix } from './matrix/run-matrix.ts';
import { printResult } from './print-result.ts';
import { type ProofWorld, startProofWorld } from './proof-world.ts';
import { type ProofInput, runProof } from './run-proof.ts';

type Deps = { life: Life; log: (line: string) => void };

// Apart from a started stack and from tests in everything: state, ports, build.
const STATE = join(PROJECT_ROOT, '.state-proof');
const BUILD = { buildFolder: '.build-proof', nextDistDir: '.next-proof' };
// Twice what it takes on a machine that does nothing else; whatever hangs ends with an answer.
const WITHIN_MS_FIXED = 10 * 60_000;
const WITHIN_MS_EACH = 500;

/**
 * `npm run proof`: a stack of its own, N withdrawals under faults, and a verdict from custody's log and the chain. Ends
 * the process: 0 only when every promise held.
 */
export async function command(deps: Deps, input: { args: string[]; env: NodeJS.ProcessEnv }): Promise<void> {
  const { life, log } = deps;
  const { values } = parseArgs({
    args: input.args,
    options: {
      withdrawals: { type: 'string', default: '1000' },
      seed: { type: 'string' },
      faults: { type: 'string', default: 'all' },
      rate: { type: 'string', default: '8' },
      matrix: { type: 'boolean' },
      cells: { type: 'string' },
      part: { type: 'string', default: '1/1' },
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
  const verdict = values.matrix
    ? await proveMatrix(deps, {
        world,
        seed,
        cells: values.cells === undefined ? 'all' : readCount('cells', values.cells),
        part: readPart(values.part),
      })
    : await proveRun(deps, { world, withdrawals, seed, faults: values.faults, perSecond });
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(verdict.result, null, 1)}\n`);
  await world.close();
  console.log(verdict.text);
  await life.end(verdict.passed ? 0 : 1);
}

type Verdict = { readonly passed: boolean; readonly text: string; readonly result: object };

async function proveRun(deps: Deps, { world, ...input }: ProofInput & { world: ProofWorld }): Promise<Verdict> {
  const late = AbortSignal.timeout(WITHIN_MS_FIXED + input.withdrawals * WITHIN_MS_EACH);
  const signal = AbortSignal.any([deps.life.signal, late]);
  const result = await runProof({ world, log: deps.log, signal }, input);
  return { passed: result.passed, text: printResult(result), result };
}

async function proveMatrix(deps: Deps, { world, ...input }: { world: ProofWorld } & MatrixInput): Promise<Verdict> {
  const { results, passed } = await runMatrix({ world, log: deps.log, signal: deps.life.signal }, input);
  const wrong = results.filter(({ broken, struck }) => broken !== null || !struck);
  const lines = wrong.map((result) => `  ${nameOf(result.cell)}: ${describeResult(result)}`);
  return {
    passed,
    text: [...lines, summarizeMatrix(results)].join('\n'),
    result: { seed: input.seed, passed, results },
  };
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} ${text} is no whole number above zero`);
  return count;
}

/** `2/3` is the second of three parts, which one may run side by side, each in a checkout of its own. */
function readPart(text: string): MatrixInput['part'] {
  const [number = 0, of = 0] = text.split('/').map((digits) => readCount('part', digits));
  if (number > of) throw new Error(`--part ${text}: there is no such part`);
  return { number, of };
}

function takeLock({ life }: { life: Life }): void {
  const lock = tryFileLock(join(PROJECT_ROOT, BUILD.buildFolder, 'proof.lock'));
  if (lock.kind === 'held') throw new Error(`a proof runs here already (process ${lock.by.pid})`);
  life.onStop({ stop: lock.release });
}
