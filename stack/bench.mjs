// `npm run bench`. Needs nothing installed: the few files it imports use Node alone, everything else is loaded once the
// dependencies are there.
import { join } from 'node:path';
import { installDependencies } from './install-dependencies.mjs';
import { watchLife } from './life.mjs';
import { loadTypescript } from './load-typescript.mjs';
import { logWithTime } from './log-with-time.mjs';

const log = logWithTime();
const life = watchLife({ log });
const root = join(import.meta.dirname, '..');

try {
  await installDependencies({ life, log }, { root });
  const load = (/** @type {string} */ path) => loadTypescript({ root, path, buildFolder: '.build-bench' });
  // The bench stands on the database client, which a fresh clone has not written yet.
  const { generateClient } = await load('stack/generate-client.ts');
  await generateClient({ life, log });
  const { command } = await load('bench/bench-command.ts');
  await command({ life, log }, { args: process.argv.slice(2), env: process.env });
} catch (error) {
  if (!life.signal.aborted) log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  await life.end(1);
}
