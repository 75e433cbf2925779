import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from './project-root.ts';

// Tools like to write into a home: caches, crash reports, what they asked before. Ours lies in the checkout, so that
// nothing is left on the machine, and is there when the machine offers none.
const HOME = join(PROJECT_ROOT, '.build', 'home');

const PASSED_ON = [
  ...['PATH', 'LANG', 'TZ', 'TMPDIR', 'LOG_LEVEL'],
  ...['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  // An engine or a collector of one's own.
  ...['PRISMA_SCHEMA_ENGINE_BINARY', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
];

/** What every child sees of our own environment: not npm's variables, and no setting of the product by accident. */
export function childEnvironment(): Record<string, string | undefined> {
  mkdirSync(HOME, { recursive: true });
  return {
    ...Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
    HOME,
    // No tool asks its maker whether it is still new.
    CHECKPOINT_DISABLE: '1',
    NEXT_TELEMETRY_DISABLED: '1',
  };
}
