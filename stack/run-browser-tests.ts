import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProduct } from './build-product.ts';
import { childEnvironment } from './child-environment.ts';
import type { StackFile } from './connect-stack.ts';
import { serveControl } from './control-server.ts';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { runCommand, tryCommand } from './run-command.mjs';
import { type StepResult, sumResults } from './run-step.ts';
import { type Stack, startStack } from './start-stack.ts';
import { findChromium } from './system-packages.mjs';

type Deps = { life: Life; log: (line: string) => void };
type Report = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
};

const TEST_BUILD = { buildFolder: '.build-test', nextDistDir: '.next-test' };
// Some of them kill processes and wait for what mends it. On a busy machine three times what they need on a quiet one.
const WITHIN_MS = 1_200_000;
const PLAYWRIGHT = join('node_modules', '@playwright', 'test', 'cli.js');

/**
 * The specs in which people click, and those that kill and wait, on a stack each: the second half waits for time-outs while
 * the first keeps a processor busy, and neither meets the other's faults. Those that pay once whatever happens to the browser
 * go with the second, so that both take about as long.
 */
const FOLDERS_OF_LANE = { specs: ['e2e/specs/'], faults: ['e2e/once/', 'e2e/faults/'] } as const;
type Lane = keyof typeof FOLDERS_OF_LANE;
export const BROWSER_LANES: readonly Lane[] = ['specs', 'faults'];

/** Where a lane keeps its servers' data. */
export function laneFolder(stateFolder: string, lane: Lane): string {
  return join(stateFolder, `stack-${lane}`);
}

/** Runs the specs in a real browser against the production build, on stacks of their own which they may break. */
export async function runBrowserTests(deps: Deps, input: { stateFolder: string }): Promise<StepResult> {
  const chromium = await findChromium(deps);
  if (!chromium) {
    const args = [PLAYWRIGHT, 'install', 'chromium'];
    const env = { ...childEnvironment(), NODE_ENV: 'test' as const };
    await runCommand(deps, { command: process.execPath, args, cwd: PROJECT_ROOT, env });
  }
  await buildProduct(deps, TEST_BUILD);
  let previous: Promise<unknown> = Promise.resolve();
  const lanes = BROWSER_LANES.map(async (lane) => {
    // One after the other, so that no port that was found free is taken before it is used.
    const stack = previous.then(() => startLane(deps, laneFolder(input.stateFolder, lane)));
    previous = stack.catch(() => null);
    return await runLane(deps, { lane, stack: await stack, stateFolder: input.stateFolder, chromium });
  });
  // Both end before the failure of either is told.
  await Promise.allSettled(lanes);
  return sumResults(await Promise.all(lanes));
}

async function startLane(deps: Deps, stateFolder: string): Promise<Stack> {
  return await startStack(deps, {
    stateFolder,
    mode: { kind: 'production', ...TEST_BUILD },
    // Forty withdrawals wait for twelve confirmations each: three seconds, and a step is still seen on the screen.
    blockSeconds: 0.25,
    // A spec that kills says so to the control server; what ends by itself the spec will notice, and the log has it.
    onUnexpectedExit: (name, reason) => deps.log(`${name} ${reason}`),
  });
}

type LaneRun = { lane: Lane; stack: Stack; stateFolder: string; chromium: string | undefined };

async function runLane(deps: Deps, run: LaneRun): Promise<StepResult> {
  const control = await serveControl(run.stack);
  try {
    const file = writeStackFile({ ...run, stateFolder: laneFolder(run.stateFolder, run.lane), control });
    return await runPlaywright(deps, { ...run, file });
  } finally {
    control.close();
    await run.stack.end();
  }
}

function writeStackFile(input: { stack: Stack; stateFolder: string; control: StackFile['control'] }): string {
  const { url, token } = input.control;
  const { urls, env } = input.stack;
  const content: StackFile = { urls, env, stateFolder: input.stateFolder, control: { url, token } };
  const file = `${input.stateFolder}.json`;
  writeFileSync(file, JSON.stringify(content, null, 1), { mode: 0o600 });
  return file;
}

async function runPlaywright(deps: Deps, run: LaneRun & { file: string }): Promise<StepResult> {
  const report = join(run.stateFolder, `browser-${run.lane}.json`);
  const { code } = await tryCommand(deps, {
    command: process.execPath,
    args: [PLAYWRIGHT, 'test', ...FOLDERS_OF_LANE[run.lane], '--output', join('test-results', run.lane)],
    cwd: PROJECT_ROOT,
    env: {
      ...childEnvironment(),
      NODE_ENV: 'test',
      CI: '1',
      NO_COLOR: '1',
      BASE_URL: run.stack.urls.web,
      STACK_FILE: run.file,
      CHROMIUM_PATH: run.chromium,
      // Set by whoever wants the README's pictures taken anew.
      UPDATE_SCREENSHOTS: process.env.UPDATE_SCREENSHOTS,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    },
    onOutput: (chunk) => process.stdout.write(chunk),
    withinMs: WITHIN_MS,
  });
  return countSpecs(existsSync(report) ? readFileSync(report, 'utf8') : undefined, code);
}

/** Counts what the JSON reporter wrote. A run that ended badly has at least one failure, whatever it wrote. */
export function countSpecs(report: string | undefined, exitCode: number | string): StepResult {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { stats, errors }: Report = JSON.parse(report);
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length;
  return { passed: stats.expected, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
