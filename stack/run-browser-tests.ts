import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import type { StackFile } from './connect-stack.ts';
import { serveControl } from './control-server.ts';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { runCommand, tryCommand } from './run-command.mjs';
import type { StepResult } from './run-step.ts';
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

/** Runs the specs in a real browser against the production build, on a stack of its own which they may break. */
export async function runBrowserTests(deps: Deps, input: { stateFolder: string }): Promise<StepResult> {
  const chromium = await findChromium(deps);
  if (!chromium) {
    const args = [PLAYWRIGHT, 'install', 'chromium'];
    const env = { ...childEnvironment(), NODE_ENV: 'test' as const };
    await runCommand(deps, { command: process.execPath, args, cwd: PROJECT_ROOT, env });
  }
  const stateFolder = join(input.stateFolder, 'stack');
  const stack = await startStack(deps, {
    stateFolder,
    mode: { kind: 'production', ...TEST_BUILD },
    // Forty withdrawals wait for twelve confirmations each: half the time, and a step is still seen on the screen.
    blockSeconds: 0.5,
    // A spec that kills says so to the control server; what ends by itself the spec will notice, and the log has it.
    onUnexpectedExit: (name, reason) => deps.log(`${name} ${reason}`),
  });
  const control = await serveControl(stack);
  try {
    const file = writeStackFile({ stack, stateFolder, control });
    return await runPlaywright(deps, { stack, file, chromium, report: join(input.stateFolder, 'browser.json') });
  } finally {
    control.close();
    await stack.end();
  }
}

function writeStackFile(input: { stack: Stack; stateFolder: string; control: StackFile['control'] }): string {
  const { url, token } = input.control;
  const { urls, env } = input.stack;
  const content: StackFile = { urls, env, stateFolder: input.stateFolder, control: { url, token } };
  const file = join(input.stateFolder, 'stack.json');
  writeFileSync(file, JSON.stringify(content, null, 1), { mode: 0o600 });
  return file;
}

async function runPlaywright(
  deps: Deps,
  input: { stack: Stack; file: string; chromium: string | undefined; report: string },
): Promise<StepResult> {
  const { code } = await tryCommand(deps, {
    command: process.execPath,
    args: [PLAYWRIGHT, 'test'],
    cwd: PROJECT_ROOT,
    env: {
      ...childEnvironment(),
      NODE_ENV: 'test',
      CI: '1',
      NO_COLOR: '1',
      BASE_URL: input.stack.urls.web,
      STACK_FILE: input.file,
      CHROMIUM_PATH: input.chromium,
      PLAYWRIGHT_JSON_OUTPUT_NAME: input.report,
    },
    onOutput: (chunk) => process.stdout.write(chunk),
    withinMs: WITHIN_MS,
  });
  return countSpecs(existsSync(input.report) ? readFileSync(input.report, 'utf8') : undefined, code);
}

/** Counts what the JSON reporter wrote. A run that ended badly has at least one failure, whatever it wrote. */
export function countSpecs(report: string | undefined, exitCode: number | string): StepResult {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { stats, errors }: Report = JSON.parse(report);
  const failed = stats.unexpected + stats.flaky + stats.skipped + errors.length;
  return { passed: stats.expected, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
