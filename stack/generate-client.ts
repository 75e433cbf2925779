import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import { withFileLock } from './file-lock.mjs';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { runCommand } from './run-command.mjs';
import { hashSources } from './source-hash.ts';

const STAMP = join(PROJECT_ROOT, 'server', 'db', 'generated', '.stamp');

/** Writes the database client from prisma/schema.prisma when it is not the present one's. */
export async function generateClient(deps: { life: Life; log: (line: string) => void }): Promise<void> {
  const wanted = hashSources(['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'], 'client');
  const isPresent = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;
  if (isPresent()) return;
  const lock = {
    path: join(PROJECT_ROOT, '.build', 'generate.lock'),
    signal: deps.life.signal,
    onWait: ({ pid }: { pid: number }) => deps.log(`process ${pid} is writing the database client; waiting for it`),
  };
  await withFileLock(lock, async () => {
    if (isPresent()) return;
    const args = [join('node_modules', 'prisma', 'build', 'index.js'), 'generate'];
    const env = { NODE_ENV: 'production' as const, ...childEnvironment() };
    await runCommand(deps, { command: process.execPath, args, cwd: PROJECT_ROOT, env });
    mkdirSync(dirname(STAMP), { recursive: true });
    writeFileSync(STAMP, wanted);
    deps.log('database client generated');
  });
}
