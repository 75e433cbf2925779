import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { isHealthy } from './probes.ts';
import type { ProcessSpec } from './processes.ts';
import { PROJECT_ROOT } from './project-root.ts';

export type ProductRole = 'web' | 'worker' | 'custody';

export type ProductProcess = {
  role: ProductRole;
  /** `web`, `worker`, `custody`; further ones `worker-2` and so on. */
  name: string;
  healthUrl: string;
  env: Record<string, string | undefined>;
};

// Heap limits far above what each needs under load (web 80 MB, worker 60, custody 40), small enough that V8 collects in
// place of growing. A young generation of 2 MB costs some percent of speed and saves 30 MB a process.
export const HEAP_FLAGS: Readonly<Record<ProductRole, readonly string[]>> = {
  web: ['--max-old-space-size=384', '--max-semi-space-size=4'],
  worker: ['--max-old-space-size=256', '--max-semi-space-size=4'],
  custody: ['--max-old-space-size=256', '--max-semi-space-size=2'],
};

const SOURCE_FILES: Record<ProductRole, string> = {
  web: 'server/web.ts',
  worker: 'worker/main.ts',
  custody: 'mock-custody/main.ts',
};

/** How a process of the product is run: from its bundle in production, from its source in development. */
export function productSpec(
  mode: { kind: 'production'; buildFolder: string } | { kind: 'development' },
  { role, name, healthUrl, env }: ProductProcess,
): ProcessSpec {
  const args =
    mode.kind === 'production'
      ? [...HEAP_FLAGS[role], join(PROJECT_ROOT, mode.buildFolder, `${role}.mjs`)]
      : ['--import', 'tsx', SOURCE_FILES[role], ...(role === 'web' ? ['--dev'] : [])];
  return {
    name,
    command: process.execPath,
    args,
    env: { ...childEnvironment(), NODE_ENV: mode.kind, ...env },
    stopSignal: 'SIGTERM',
    // Longer than the product's own grace for work in flight (28 s); a quiet process ends at once.
    stopWithinMs: 32_000,
    isReady: () => isHealthy(healthUrl),
    readyWithinMs: mode.kind === 'production' ? 30_000 : 120_000,
    inTerminal: mode.kind === 'development' && role !== 'custody',
  };
}
