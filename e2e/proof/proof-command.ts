import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tryFileLock } from '#stack/file-lock.mjs';
import type { Life } from '#stack/life.mjs';
import { endLeftovers } from '#stack/process-records.ts';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { readNamedPorts } from '#stack/state-folder.ts';
import { keepResult } from './keep-result.ts';
import { proveMatrix } from './matrix/prove-matrix.ts';
import type { MatrixInput } from './matrix/run-matrix.ts';
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
      lanes: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  const withdrawals = readCount('withdrawals', values.withdrawals);
  const seed = values.seed === undefined ? 1 + Math.floor(Math.random() * 999_999_999) : readCount('seed', values.seed);
  const perSecond = readCount('rate', values.rate);
  takeLock(deps);
  log(
    values.matrix
      ? `seed ${seed}: the crash matrix`
      : `seed ${seed}: ${withdrawals} withdrawals, faults: ${values.faults}`,
  );
  const lanes = values.matrix ? readCount('lanes', values.lanes) : 1;
  const worlds = await startWorlds(deps, { lanes, env: input.env });
  const [world] = worlds;
  const { json } = values;
  const verdict = values.matrix
    ? await proveMatrix(deps, {
        worlds,
        json,
        seed,
        cells: values.cells === undefined ? 'all' : readCount('cells', values.cells),
        part: readPart(values.part),
      })
    : await proveRun(deps, { world, json, withdrawals, seed, faults: values.faults, perSecond });
  await Promise.all(worlds.map((one) => one.close()));
  console.log(verdict.text);
  await life.end(verdict.passed ? 0 : 1);
}

/** One stack for each lane, one after the other: the first builds for all. */
async function startWorlds(
  deps: Deps,
  { lanes, env }: { lanes: number; env: NodeJS.ProcessEnv },
): Promise<[ProofWorld, ...ProofWorld[]]> {
  const startLane = async (lane: number) => {
    const stateFolder = lane === 1 ? STATE : `${STATE}-${lane}`;
    await endLeftovers(stateFolder);
    rmSync(stateFolder, { recursive: true, force: true });
    return startProofWorld(lane === 1 ? deps : { ...deps, log: (line) => deps.log(`lane ${lane}: ${line}`) }, {
      stateFolder,
      build: BUILD,
      namedPorts: lane === 1 ? readNamedPorts(env) : {},
      // The nemesis orders most ends; what dies unordered is started again and shows in the processes' own logs.
      onUnexpectedExit: () => undefined,
    });
  };
  const worlds: [ProofWorld, ...ProofWorld[]] = [await startLane(1)];
  for (let lane = 2; lane <= lanes; lane += 1) worlds.push(await startLane(lane));
  return worlds;
}

async function proveRun(
  deps: Deps,
  { world, json, ...input }: ProofInput & { world: ProofWorld; json: string | undefined },
): Promise<{ passed: boolean; text: string }> {
  const late = AbortSignal.timeout(WITHIN_MS_FIXED + input.withdrawals * WITHIN_MS_EACH);
  const signal = AbortSignal.any([deps.life.signal, late]);
  const result = await runProof({ world, log: deps.log, signal }, input);
  if (json !== undefined) keepResult(json, { ...result });
  return { passed: result.passed, text: printResult(result) };
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
