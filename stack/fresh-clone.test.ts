import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from './project-root.ts';

/** What each command of package.json bundles and loads, in the order in which it does. */
const entries = readdirSync(join(PROJECT_ROOT, 'stack'))
  .filter((name) => name.endsWith('.mjs'))
  .flatMap((name) => {
    const source = readFileSync(join(PROJECT_ROOT, 'stack', name), 'utf8');
    const paths = [...source.matchAll(/'((?:stack|bench|e2e)\/[\w/-]+\.ts)'/g)].map(([, path = '']) => path);
    const written = paths.indexOf('stack/generate-client.ts');
    return paths.map((path, index) => ({ name, path, isClientThere: written !== -1 && index > written }));
  });

it('finds what the commands load', () => {
  expect(entries.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['stack/start-command.ts', 'stack/test-command.ts', 'bench/bench-command.ts']),
  );
});

it.each(entries.filter(({ isClientThere }) => !isClientThere))(
  '$name loads $path on a fresh clone, where the database client is not written yet',
  async ({ path }) => {
    const importers: string[] = [];
    await build({
      absWorkingDir: PROJECT_ROOT,
      entryPoints: [path],
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'silent',
      plugins: [
        {
          name: 'notes who imports the client',
          setup: ({ onResolve }) =>
            onResolve({ filter: /db\/generated\// }, ({ importer, path: client }) => {
              importers.push(importer);
              return { path: client, external: true };
            }),
        },
      ],
    });
    expect(importers).toEqual([]);
  },
);
