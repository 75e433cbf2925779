import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { tryCommand } from './run-command.mjs';
import type { StepResult } from './run-step.ts';

type Report = {
  numTotalTests: number;
  numPassedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
};

// A test that hangs must not hold everybody up; the longest suite takes a quarter of this on a quiet machine.
const WITHIN_MS = 900_000;

/** Runs the tests of one project of vitest.config.ts; its output appears as it comes. */
export async function runVitest(
  deps: { life: Life },
  input: { project: 'unit' | 'integration'; stateFolder: string; env: Record<string, string> },
): Promise<StepResult> {
  const file = join(input.stateFolder, `${input.project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const args = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', input.project, ...reporters];
  const { code } = await tryCommand(deps, {
    command: process.execPath,
    args,
    cwd: PROJECT_ROOT,
    env: { ...childEnvironment(), NODE_ENV: 'test', CI: '1', NO_COLOR: '1', ...input.env },
    onOutput: (chunk) => process.stdout.write(chunk),
    withinMs: WITHIN_MS,
  });
  return countTests(existsSync(file) ? readFileSync(file, 'utf8') : undefined, code);
}

/** Counts what the JSON reporter wrote. A run that ended badly has at least one failure, whatever it wrote. */
export function countTests(report: string | undefined, exitCode: number | string): StepResult {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numTotalTests, numPassedTests, testResults }: Report = JSON.parse(report);
  // A file that cannot be loaded has no tests to fail.
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = numTotalTests - numPassedTests + brokenFiles;
  return { passed: numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
