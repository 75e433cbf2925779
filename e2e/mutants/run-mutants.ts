import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '#stack/child-environment.ts';
import type { Life } from '#stack/life.mjs';
import { tryCommand } from '#stack/run-command.mjs';
import type { Mutant } from './mutant.ts';
import { type Copy, copySources } from './sabotage.ts';

export interface MutantVerdict {
  readonly name: string;
  readonly kind: 'killed' | 'survived' | 'not_run';
  /** The tests that failed, or why nothing was run. */
  readonly detail: string;
  readonly durationMs: number;
}

const WITHIN_MS = 180_000;
const VITEST = join('node_modules', 'vitest', 'vitest.mjs');

/**
 * Runs each mutant against its test, one after the other. Killed is one whose test ran and failed; a test that fails without
 * the mutant kills nobody.
 */
export async function runMutants(
  deps: { life: Life },
  input: {
    mutants: readonly Mutant[];
    folder: string;
    env: Readonly<Record<string, string>>;
    report: (verdict: MutantVerdict) => void;
  },
): Promise<MutantVerdict[]> {
  const copy = copySources(input.folder);
  const verdicts: MutantVerdict[] = [];
  for (const mutant of input.mutants) {
    if (deps.life.signal.aborted) break;
    const startedAt = performance.now();
    const verdict = await tryMutant(deps, { ...input, copy, mutant });
    const timed = { ...verdict, name: mutant.name, durationMs: Math.round(performance.now() - startedAt) };
    verdicts.push(timed);
    input.report(timed);
  }
  return verdicts;
}

async function tryMutant(
  deps: { life: Life },
  input: { copy: Copy; mutant: Mutant; env: Readonly<Record<string, string>> },
): Promise<Pick<MutantVerdict, 'kind' | 'detail'>> {
  const healthy = await runTest(deps, input);
  if (healthy.ran === 0) return { kind: 'not_run', detail: `no test of ${input.mutant.test.file} has this name` };
  if (healthy.failed.length > 0)
    return { kind: 'not_run', detail: `fails without the mutant: ${healthy.failed.join('; ')}` };
  const mend = input.copy.sabotage(input.mutant);
  try {
    const sick = await runTest(deps, input);
    if (sick.failed.length > 0) return { kind: 'killed', detail: sick.failed.join('; ') };
    // A file that no longer loads, or a suite that cannot begin, is noticed too; by whom, its own output says.
    if (sick.ran < healthy.ran) return { kind: 'killed', detail: 'the suite could not run' };
    return { kind: 'survived', detail: `${sick.ran} tests passed` };
  } finally {
    mend();
  }
}

interface Report {
  readonly testResults: { readonly assertionResults: { readonly status: string; readonly title: string }[] }[];
}

async function runTest(
  deps: { life: Life },
  { copy, mutant, env }: { copy: Copy; mutant: Mutant; env: Readonly<Record<string, string>> },
): Promise<{ ran: number; failed: string[] }> {
  const report = join(copy.folder, 'report.json');
  rmSync(report, { force: true });
  const named = mutant.test.named === '' ? [] : ['-t', mutant.test.named];
  await tryCommand(deps, {
    command: process.execPath,
    args: [VITEST, 'run', mutant.test.file, ...named, '--reporter=json', `--outputFile=${report}`],
    cwd: copy.folder,
    env: { ...childEnvironment(), NODE_ENV: 'test', CI: '1', NO_COLOR: '1', ...env },
    withinMs: WITHIN_MS,
  });
  if (!existsSync(report)) return { ran: 0, failed: [] };
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return {
    ran: tests.filter(({ status }) => status === 'passed' || status === 'failed').length,
    failed: tests.filter(({ status }) => status === 'failed').map(({ title }) => title),
  };
}
