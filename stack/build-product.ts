import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleEntries } from './bundle-entries.ts';
import { childEnvironment } from './child-environment.ts';
import { compressStatic } from './compress-static.ts';
import { withFileLock } from './file-lock.mjs';
import { generateClient } from './generate-client.ts';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { runCommand } from './run-command.mjs';
import { hashSources } from './source-hash.ts';

/** Where a build goes: a started stack and a test run have one each, and never touch the other's. */
export type BuildPlace = { buildFolder: string; nextDistDir: string };

const BUNDLES: Record<string, string> = {
  web: 'server/web.ts',
  worker: 'worker/main.ts',
  custody: 'mock-custody/main.ts',
  'deploy-tokens': 'mock-custody/contracts/deploy.ts',
  migrate: 'prisma/migrate.ts',
  seed: 'prisma/seed.ts',
  'set-role': 'prisma/set-role.ts',
};

const SOURCES = [
  ...['app', 'server', 'worker', 'mock-custody', 'prisma', 'public'],
  ...['package.json', 'package-lock.json', 'tsconfig.json', 'next.config.ts', 'postcss.config.mjs'],
  'stack/build-product.ts',
  'stack/bundle-entries.ts',
  'stack/compress-static.ts',
];

/** True when the build there was made from the sources that are here now. */
export function isBuildFresh(place: BuildPlace): boolean {
  const stamp = stampOf(place);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources(SOURCES, place.nextDistDir);
}

/**
 * Builds for production what is not built yet: the database client, a bundle for each process, the pages.
 *
 * @throws with the builder's own words when a source does not build or an entry file is missing
 */
export async function buildProduct(
  deps: { life: Life; log: (line: string) => void },
  place: BuildPlace,
): Promise<void> {
  await generateClient(deps);
  if (isBuildFresh(place)) return;
  const lock = {
    path: join(PROJECT_ROOT, place.buildFolder, 'build.lock'),
    signal: deps.life.signal,
    onWait: ({ pid }: { pid: number }) => deps.log(`process ${pid} is building; waiting for it`),
  };
  await withFileLock(lock, async () => {
    if (isBuildFresh(place)) return;
    // Taken before the build: a file that is saved meanwhile makes the next start build again.
    const built = hashSources(SOURCES, place.nextDistDir);
    deps.log('building for production');
    rmSync(stampOf(place), { force: true });
    await Promise.all([bundleProcesses(place), buildPages(deps, place)]);
    writeFileSync(stampOf(place), built);
    deps.log('built');
  });
}

function stampOf(place: BuildPlace): string {
  return join(PROJECT_ROOT, place.buildFolder, 'built');
}

async function bundleProcesses(place: BuildPlace): Promise<void> {
  const missing = Object.values(BUNDLES).filter((path) => !existsSync(join(PROJECT_ROOT, path)));
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
  await bundleEntries({ entries: BUNDLES, folder: place.buildFolder });
}

async function buildPages(deps: { life: Life; log: (line: string) => void }, place: BuildPlace): Promise<void> {
  const distDir = join(PROJECT_ROOT, place.nextDistDir);
  mkdirSync(distDir, { recursive: true });
  const args = [join('node_modules', 'next', 'dist', 'bin', 'next'), 'build'];
  const env = { ...childEnvironment(), NODE_ENV: 'production' as const, NEXT_DIST_DIR: place.nextDistDir };
  await runCommand(deps, { command: process.execPath, args, cwd: PROJECT_ROOT, env });
  await compressStatic(distDir);
}
