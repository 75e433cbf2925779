import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tryFileLock } from './file-lock.mjs';
import { forgetState } from './forget-state.ts';
import { generateClient } from './generate-client.ts';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { BROWSER_LANES, laneFolder, runBrowserTests } from './run-browser-tests.ts';
import { runIntegrationTests } from './run-integration-tests.ts';
import { runStep, type StepResult, sumResults } from './run-step.ts';
import { runVitest } from './run-vitest.ts';
import { runStaticCheck, STATIC_CHECKS, type StaticCheck } from './static-checks.ts';

type Deps = { life: Life; log: (line: string) => void };

// Apart from a started stack in everything: state, ports, build.
const STATE = join(PROJECT_ROOT, '.state-test');

const NOTHING_TESTED: StepResult = { passed: 0, failed: 0 };

/**
 * Runs every check and test; with `--check` only those that need no services. Ends the process: 0 when all passed.
 * A step that could not run, and a test that was skipped, have failed.
 */
export async function testCommand(deps: Deps, input: { args: string[] }): Promise<void> {
  const { values: options } = parseArgs({ args: input.args, options: { check: { type: 'boolean' } } });
  takeLock(deps);
  keepTemporaryFilesTogether(deps);
  await forgetState(join(STATE, 'integration'));
  for (const lane of BROWSER_LANES) await forgetState(laneFolder(STATE, lane));
  rmSync(STATE, { recursive: true, force: true });
  mkdirSync(STATE, { recursive: true });
  const run = (name: string, step: () => Promise<StepResult>) => runStep(deps, { name, run: step });
  const results = [await run('database client', () => generateClient(deps).then(() => NOTHING_TESTED))];
  // The type checker takes one core for as long as the others together take the second.
  const lanes = [STATIC_CHECKS.filter(isTypes), STATIC_CHECKS.filter((check) => !isTypes(check))].map(async (lane) => {
    for (const check of lane) results.push(await run(check.name, () => runStaticCheck(deps, check)));
  });
  await Promise.all(lanes);
  results.push(await run('unit tests', () => runVitest(deps, { project: 'unit', stateFolder: STATE, env: {} })));
  if (!options.check) {
    results.push(await run('integration tests', () => runIntegrationTests(deps, { stateFolder: STATE })));
    results.push(await run('browser tests', () => runBrowserTests(deps, { stateFolder: STATE })));
  }
  const { passed, failed } = sumResults(results);
  await deps.life.end(failed === 0 ? 0 : 1, `${passed} passed, ${failed} failed`);
}

function isTypes({ name }: StaticCheck): boolean {
  return name === 'types';
}

function takeLock({ life }: Deps): void {
  const lock = tryFileLock(join(PROJECT_ROOT, '.build-test', 'test.lock'));
  if (lock.kind === 'held') throw new Error(`tests are running here already (process ${lock.by.pid})`);
  life.onStop({ stop: lock.release });
}

/**
 * Compilers, browsers and tests leave files in the system's temporary folder. A short path outside of the checkout: a
 * browser puts a socket into it, and the address of a socket has 107 characters at most.
 */
function keepTemporaryFilesTogether({ life }: Deps): void {
  const folder = mkdtempSync(join(tmpdir(), 'cryptoex-'));
  process.env.TMPDIR = folder;
  life.onStop({ stop: () => rmSync(folder, { recursive: true, force: true }) });
}
