// `npm run build`: what a start would build, without starting.
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
  const { buildProduct } = await loadTypescript({ root, path: 'stack/build-product.ts', buildFolder: '.build' });
  await buildProduct({ life, log }, { buildFolder: '.build', nextDistDir: '.next' });
  await life.end(0);
} catch (error) {
  if (!life.signal.aborted) log(error instanceof Error ? error.message : String(error));
  await life.end(1);
}
