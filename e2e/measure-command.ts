import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
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
/** Asked for by name only: it fetches Lighthouse. */
const NAMED = 'measure-lighthouse';
const SCRIPTS = ['measure-interaction', 'measure-latency'];

/**
 * Measures the pages in a real browser, on a production stack of its own and nothing else running: how long a key or a press on
 * the form waits for its paint, and how long a click waits until custody has the transfer. Parts of names choose among them, and
 * `lighthouse`, which is not measured otherwise; `--json FILE` keeps what the one that was chosen found.
 */
export async function command(
  deps: { life: Life; log: (line: string) => void },
  input: { args: readonly string[] },
): Promise<void> {
  const { life, log } = deps;
  const { values, positionals } = parseArgs({
    args: [...input.args],
    options: { json: { type: 'string' } },
    allowPositionals: true,
  });
  const chosen =
    positionals.length === 0
      ? SCRIPTS
      : [...SCRIPTS, NAMED].filter((name) => positionals.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`there is no ${positionals.join(', ')}; ${[...SCRIPTS, NAMED].join(', ')}`);
  if (values.json !== undefined && chosen.length > 1) throw new Error('--json FILE keeps one measure: name it');
  const kept = values.json === undefined ? {} : { MEASURE_JSON: resolve(PROJECT_ROOT, values.json) };
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
  let failed = 0;
  for (const name of chosen) {
    const { code } = await tryCommand(deps, {
      command: process.execPath,
      args: ['--import', 'tsx', `e2e/support/${name}.ts`],
      cwd: PROJECT_ROOT,
      env: { ...childEnvironment(), NODE_ENV: 'test', STACK_FILE: file, ...kept },
      onOutput: (chunk) => process.stdout.write(chunk),
    });
    if (code !== 0) failed = 1;
  }
  await life.end(failed);
}
