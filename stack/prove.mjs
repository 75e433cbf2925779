// `npm run proof`, `npm run mutants`, and `npm run measure`. Needs nothing installed: the few files it imports use
// Node alone, everything else is loaded once the dependencies are there.
import { join } from 'node:path';
import { installDependencies } from './install-dependencies.mjs';
import { watchLife } from './life.mjs';
import { loadTypescript } from './load-typescript.mjs';
import { logWithTime } from './log-with-time.mjs';

/** @type {Record<string, string>} */
const COMMANDS = {
  proof: 'e2e/proof/proof-command.ts',
  mutants: 'e2e/mutants/mutants-command.ts',
  measure: 'e2e/measure-command.ts',
};

const log = logWithTime();
const life = watchLife({ log });
const root = join(import.meta.dirname, '..');

try {
  const [name = '', ...args] = process.argv.slice(2);
  const path = COMMANDS[name];
  if (path === undefined) throw new Error(`there is no ${name}; ${Object.keys(COMMANDS).join(', ')}`);
  await installDependencies({ life, log }, { root });
  const { command } = await loadTypescript({ root, path, buildFolder: '.build-proof' });
  await command({ life, log }, { args, env: process.env });
} catch (error) {
  if (!life.signal.aborted) log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  await life.end(1);
}
