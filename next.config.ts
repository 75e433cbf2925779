import type { NextConfig } from 'next';

const config: NextConfig = {
  // A started stack and a test run build beside each other, each into its own folder.
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // `npm run check` checks the types of everything; doing it once more would cost each start some seconds. Next writes
  // each of its output folders into the configuration it is shown: this one is nobody's, and git ignores it.
  typescript: { ignoreBuildErrors: true, tsconfigPath: 'tsconfig.next.json' },
};

export default config;
