import { flushRedis } from '../flush-redis.ts';
import type { ProofWorld } from '../proof-world.ts';
import { createSeededRandom, type SeededRandom } from '../seeded-random.ts';
import { fillHotWallet } from '../workload/fill-hot-wallet.ts';
import { createHistory } from '../workload/history.ts';
import { openCustomers } from '../workload/open-customers.ts';
import { CELLS, type Cell, nameOf, sampleCells } from './cell.ts';
import { type CellResult, runCell } from './run-cell.ts';
import type { Stage } from './stage.ts';

export interface MatrixInput {
  readonly seed: number;
  readonly cells: number | 'all';
  /** Of three parts the second is the second, the fifth, the eighth cell and so on. */
  readonly part: { readonly number: number; readonly of: number };
}

/** A result with what it took, of which most is the start of processes. */
export type TimedCellResult = CellResult & { readonly durationMs: number };

export interface MatrixState {
  readonly results: readonly TimedCellResult[];
  /** How many cells were chosen. */
  readonly of: number;
  /** Every chosen cell was run, was as it must be, and its crash really happened. */
  readonly passed: boolean;
}

/**
 * The crash matrix: every cell, or a seeded sample of so many, or a part of either. Each stack takes the next cell as soon as it has
 * done its last one; what a cell draws depends on the seed and on its name, and not on the stack that runs it.
 *
 * @param deps.onResult is told after each cell, so that what was found is kept when a run is ended early
 */
export async function runMatrix(
  deps: {
    worlds: readonly ProofWorld[];
    log: (line: string) => void;
    signal: AbortSignal;
    onResult: (state: MatrixState) => void;
  },
  input: MatrixInput,
): Promise<MatrixState> {
  const random = createSeededRandom(input.seed);
  const chosen = input.cells === 'all' ? CELLS : sampleCells(random.branch('cells'), input.cells);
  const cells = chosen.filter((_, index) => index % input.part.of === input.part.number - 1);
  const waiting = [...cells];
  const done = new Map<Cell, TimedCellResult>();
  const state = (): MatrixState => {
    const results = cells.flatMap((cell) => done.get(cell) ?? []);
    // A part in which nothing lies shows nothing.
    const passed =
      cells.length > 0 &&
      results.length === cells.length &&
      results.every(({ broken, struck }) => broken === null && struck);
    return { results, of: cells.length, passed };
  };
  await Promise.all(
    deps.worlds.map((world) =>
      runLane(
        { world, random, signal: deps.signal },
        () => waiting.shift(),
        (result) => {
          done.set(result.cell, result);
          deps.log(`${done.size}/${cells.length} ${nameOf(result.cell)}: ${describeResult(result)}`);
          deps.onResult(state());
        },
      ),
    ),
  );
  return state();
}

/** One stack, one cell after the other, until none is left. */
async function runLane(
  { world, random, signal }: { world: ProofWorld; random: SeededRandom; signal: AbortSignal },
  next: () => Cell | undefined,
  onResult: (result: TimedCellResult) => void,
): Promise<void> {
  await fillHotWallet(world);
  const [customer] = await openCustomers({ world, history: createHistory() }, { count: 1 });
  if (customer === undefined) throw new Error('nobody signed up');
  // One process of each kind: the crash must meet the one withdrawal there is.
  await world.stack.stop('worker-2');
  const stage = stageOf(world);
  for (let cell = next(); cell !== undefined && !signal.aborted; cell = next()) {
    const startedAt = performance.now();
    const result = await runCell({ stage, customer, random: random.branch(nameOf(cell)) }, cell);
    onResult({ ...result, durationMs: Math.round(performance.now() - startedAt) });
  }
}

/** The words of one result, for people. */
export function describeResult({ struck, status, transfers, broken }: CellResult): string {
  const end = `${status}, ${transfers} ${transfers === 1 ? 'transfer' : 'transfers'}`;
  return `${end}${struck ? '' : ', NOT STRUCK'}${broken === null ? '' : `, BROKEN: ${broken}`}`;
}

/** How many crashes there are, how many of them were run, and how many of those are wrong. */
export function summarizeMatrix(results: readonly CellResult[], of: readonly Cell[] = CELLS): string {
  const broken = results.filter((result) => result.broken !== null).length;
  const doubles = results.filter(({ transfers }) => transfers > 1).length;
  const unstruck = results.filter(({ struck }) => !struck).length;
  return `matrix: ${results.length} of ${of.length} crashes, ${doubles} double transfers, ${broken} broken, ${unstruck} not struck`;
}

function stageOf(world: ProofWorld): Stage {
  return {
    custody: world.custody,
    faultPointsFile: world.faultPointsFile,
    start: (name, env) => world.stack.start(name, { ...env }),
    stop: (name) => world.stack.stop(name),
    isRunning: async (name) =>
      world.stack.processes().some((process) => process.name === name && process.state === 'running'),
    flushRedis: () => flushRedis(world.stack.urls.redis),
    ask: (text, values) => world.ask(text, values),
    askChain: (method, params) => world.askChain(method, params),
  };
}
