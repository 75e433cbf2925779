import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProduct } from '#stack/build-product.ts';
import { childEnvironment } from '#stack/child-environment.ts';
import type { StackFile } from '#stack/connect-stack.ts';
import { serveControl } from '#stack/control-server.ts';
import type { Life } from '#stack/life.mjs';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { tryCommand } from '#stack/run-command.mjs';
import { startStack } from '#stack/start-stack.ts';

const STATE = join(PROJECT_ROOT, '.state-measure');
const BUILD = { buildFolder: '.build-test', nextDistDir: '.next-test' };
const SCRIPTS = ['measure-interaction', 'measure-latency'];

/**
 * Measures the pages in a real browser, on a production stack of its own and nothing else running: how long a key or a press on
 * the form waits for its paint, and how long a click waits until custody has the transfer. Parts of names choose among them.
 */
export async function command(
  deps: { life: Life; log: (line: string) => void },
  input: { args: readonly string[] },
): Promise<void> {
  const { life, log } = deps;
  await buildProduct(deps, BUILD);
  const stack = await startStack(deps, {
    stateFolder: STATE,
    mode: { kind: 'production', ...BUILD },
    onUnexpectedExit: (name, reason) => log(`${name} ${reason}`),
  });
  const { url, token } = await serveControl(stack);
  const file = join(STATE, 'stack.json');
  const content: StackFile = { urls: stack.urls, env: stack.env, stateFolder: STATE, control: { url, token } };
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  const chosen = SCRIPTS.filter((name) => input.args.length === 0 || input.args.some((part) => name.includes(part)));
  let failed = chosen.length === 0 ? 1 : 0;
  for (const name of chosen) {
    const { code } = await tryCommand(deps, {
      command: process.execPath,
      args: ['--import', 'tsx', `e2e/support/${name}.ts`],
      cwd: PROJECT_ROOT,
      env: { ...childEnvironment(), NODE_ENV: 'test', STACK_FILE: file },
      onOutput: (chunk) => process.stdout.write(chunk),
    });
    if (code !== 0) failed = 1;
  }
  await life.end(failed);
}
