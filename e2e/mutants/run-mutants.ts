import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '#stack/child-environment.ts';
import type { Life } from '#stack/life.mjs';
import { tryCommand } from '#stack/run-command.mjs';
import { judgeMutant, type NamedRun, type Verdict } from './judge-mutant.ts';
import type { Mutant } from './mutant.ts';
import { type Copy, copySources } from './sabotage.ts';

export interface MutantVerdict extends Verdict {
  readonly name: string;
  readonly test: Mutant['test'];
  readonly durationMs: number;
}

const WITHIN_MS = 180_000;
const VITEST = join('node_modules', 'vitest', 'vitest.mjs');

/** Runs the test that is named for each mutant, without it and with it, one mutant after the other. */
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
    const { name, test } = mutant;
    const timed = { name, test, ...verdict, durationMs: Math.round(performance.now() - startedAt) };
    verdicts.push(timed);
    input.report(timed);
  }
  return verdicts;
}

type Trial = { copy: Copy; mutant: Mutant; env: Readonly<Record<string, string>> };

async function tryMutant(deps: { life: Life }, trial: Trial): Promise<Verdict> {
  const healthy = await runNamedTest(deps, trial);
  const mend = trial.copy.sabotage(trial.mutant);
  try {
    return judgeMutant(healthy, await runNamedTest(deps, trial));
  } finally {
    mend();
  }
}

interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

async function runNamedTest(deps: { life: Life }, { copy, mutant, env }: Trial): Promise<NamedRun> {
  const { file, named } = mutant.test;
  const report = join(copy.folder, 'report.json');
  rmSync(report, { force: true });
  const pattern = `^${named.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
  await tryCommand(deps, {
    command: process.execPath,
    args: [VITEST, 'run', file, '-t', pattern, '--reporter=json', `--outputFile=${report}`],
    cwd: copy.folder,
    env: { ...childEnvironment(), NODE_ENV: 'test', CI: '1', NO_COLOR: '1', ...env },
    withinMs: WITHIN_MS,
  });
  if (!existsSync(report)) return { ran: 0, failure: null, trouble: `no report within ${WITHIN_MS} ms` };
  const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
  const tests = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName, status }) => fullName === named && (status === 'passed' || status === 'failed'));
  const failure = tests.find(({ status }) => status === 'failed')?.failureMessages[0] ?? null;
  const trouble = testResults.map(({ message }) => message).find((message) => message !== '') ?? null;
  return { ran: tests.length, failure, trouble };
}
