// `npm test` and `npm run check`. Needs nothing installed: the few files it imports use Node alone, everything else is
// loaded once the dependencies are there.
import { join } from 'node:path';
import { installDependencies } from './install-dependencies.mjs';
import { watchLife } from './life.mjs';
import { loadTypescript } from './load-typescript.mjs';
import { logWithTime } from './log-with-time.mjs';
import { findRedisServer } from './system-packages.mjs';

const log = logWithTime();
const life = watchLife({ log });
const root = join(import.meta.dirname, '..');

try {
  // Without a Redis nothing but the static checks could run: that is said now, not in ten minutes.
  const needsRedis = !process.argv.includes('--check');
  await Promise.all([
    installDependencies({ life, log }, { root }),
    needsRedis ? findRedisServer({ life, log }, { stateFolder: join(root, '.build-test') }) : undefined,
  ]);
  const { testCommand } = await loadTypescript({ root, path: 'stack/test-command.ts', buildFolder: '.build-test' });
  await testCommand({ life, log }, { args: process.argv.slice(2) });
} catch (error) {
  if (!life.signal.aborted) log(error instanceof Error ? error.message : String(error));
  // What could not run has failed, and the last line says so like any other.
  await life.end(1, '0 passed, 1 failed');
}
