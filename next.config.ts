import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NextConfig } from 'next';

// Next writes each of its output folders into the configuration it is shown, so it is shown one that git ignores. A fresh
// clone has none yet, and the bundler reads it before Next would make it.
const TSCONFIG = 'tsconfig.next.json';
if (!existsSync(join(import.meta.dirname, TSCONFIG))) {
  writeFileSync(
    join(import.meta.dirname, TSCONFIG),
    `${JSON.stringify({ extends: './tsconfig.json', include: [] })}\n`,
  );
}

const config: NextConfig = {
  // A started stack and a test run build beside each other, each into its own folder.
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // `npm run check` checks the types of everything; doing it once more would cost each start some seconds.
  typescript: { ignoreBuildErrors: true, tsconfigPath: TSCONFIG },
};

export default config;
