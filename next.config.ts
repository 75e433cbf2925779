import type { NextConfig } from 'next';

const config: NextConfig = {
  // A started stack and a test run build beside each other, each into its own folder.
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
  poweredByHeader: false,
  // `npm run check` checks the types of everything; doing it once more would cost each start some seconds.
  typescript: { ignoreBuildErrors: true },
};

export default config;
