import type { Life } from '#stack/life.mjs';
import { type KeptResult, keepResult } from '../keep-result.ts';
import type { ProofWorld } from '../proof-world.ts';
import { nameOf } from './cell.ts';
import { describeResult, type MatrixInput, type MatrixState, runMatrix, summarizeMatrix } from './run-matrix.ts';

/** Runs the matrix and says what was wrong. With a file, what is known so far stands in it after every cell. */
export async function proveMatrix(
  { life, log }: { life: Life; log: (line: string) => void },
  { worlds, json, ...input }: { worlds: readonly ProofWorld[]; json: string | undefined } & MatrixInput,
): Promise<{ passed: boolean; text: string }> {
  const startedAt = performance.now();
  const keep = (state: MatrixState) => {
    const durationMs = Math.round(performance.now() - startedAt);
    const { seed, part } = input;
    const summary = summarizeMatrix(state.results);
    const result: KeptResult = { seed, part, lanes: worlds.length, durationMs, summary, ...state };
    if (json !== undefined) keepResult(json, result);
  };
  const state = await runMatrix({ worlds, log, signal: life.signal, onResult: keep }, input);
  const wrong = state.results.filter(({ broken, struck }) => broken !== null || !struck);
  const lines = wrong.map((result) => `  ${nameOf(result.cell)}: ${describeResult(result)}`);
  return { passed: state.passed, text: [...lines, summarizeMatrix(state.results)].join('\n') };
}
