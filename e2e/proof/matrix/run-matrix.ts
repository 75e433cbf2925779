import { flushRedis } from '../flush-redis.ts';
import type { ProofWorld } from '../proof-world.ts';
import { createSeededRandom } from '../seeded-random.ts';
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

/**
 * The crash matrix: every cell, or a seeded sample of so many, or a part of either, one after the other on one stack.
 *
 * @returns the results, and whether each was as it must be and each crash really happened
 */
export async function runMatrix(
  deps: { world: ProofWorld; log: (line: string) => void; signal: AbortSignal },
  input: MatrixInput,
): Promise<{ results: readonly CellResult[]; passed: boolean }> {
  const { world, log, signal } = deps;
  const random = createSeededRandom(input.seed);
  const chosen = input.cells === 'all' ? CELLS : sampleCells(random.branch('cells'), input.cells);
  const cells = chosen.filter((_, index) => index % input.part.of === input.part.number - 1);
  await fillHotWallet(world);
  const people = { world, history: createHistory() };
  const [customer] = await openCustomers(people, { count: 1 });
  if (customer === undefined) throw new Error('nobody signed up');
  // One process of each kind: the crash must meet the one withdrawal there is.
  await world.stack.stop('worker-2');
  const stage = stageOf(world);
  const results: CellResult[] = [];
  for (const cell of cells) {
    if (signal.aborted) break;
    const result = await runCell({ stage, customer, random: random.branch(nameOf(cell)) }, cell);
    results.push(result);
    log(`${results.length}/${cells.length} ${nameOf(cell)}: ${describeResult(result)}`);
  }
  const passed = results.length === cells.length && results.every(({ broken, struck }) => broken === null && struck);
  return { results, passed };
}

/** The words of one result, for people. */
export function describeResult({ struck, status, transfers, broken }: CellResult): string {
  const end = `${status}, ${transfers} ${transfers === 1 ? 'transfer' : 'transfers'}`;
  return `${end}${struck ? '' : ', NOT STRUCK'}${broken === null ? '' : `, BROKEN: ${broken}`}`;
}

/** How many cells there are, and how many of them a table of results shows as wrong. */
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
