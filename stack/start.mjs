// `npm start`. Needs nothing installed: the few files it imports use Node alone, everything else is loaded once the
// dependencies are there.
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
  // Both wait for a download: together they take as long as the longer.
  await Promise.all([
    installDependencies({ life, log }, { root }),
    process.env.REDIS_URL ? undefined : findRedisServer({ life, log }, { stateFolder: join(root, '.state') }),
  ]);
  const { startCommand } = await loadTypescript({ root, path: 'stack/start-command.ts', buildFolder: '.build' });
  await startCommand({ life, log }, { args: process.argv.slice(2), env: process.env });
} catch (error) {
  // While we are being stopped, whatever was under way fails: that is no news.
  if (!life.signal.aborted) log(error instanceof Error ? error.message : String(error));
  await life.end(1);
}
