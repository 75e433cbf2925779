import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from './child-environment.ts';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { tryCommand } from './run-command.mjs';
import type { StepResult } from './run-step.ts';

export type StaticCheck = { name: string; tool: string; args: string[] };

const FOLDERS = ['app', 'server', 'worker', 'prisma', 'mock-custody', 'stack', 'e2e', 'bench'];

/** The checks that read the project and run nothing of it; each counts as one test. */
export const STATIC_CHECKS: StaticCheck[] = [
  { name: 'format and lint', tool: '@biomejs/biome/bin/biome', args: ['ci', '--colors=off', '.'] },
  { name: 'types', tool: 'typescript/bin/tsc', args: ['--noEmit', '--pretty', 'false', '--project', '.'] },
  {
    name: 'import rules',
    tool: 'dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', ...FOLDERS.filter(isThere)],
  },
  { name: 'dead code', tool: 'knip/bin/knip.js', args: ['--no-progress'] },
];

/** Runs one; what it found is printed whole. */
export async function runStaticCheck(deps: { life: Life }, check: StaticCheck): Promise<StepResult> {
  const args = [join('node_modules', check.tool), ...check.args];
  const env = { ...childEnvironment(), NODE_ENV: 'test' as const, NO_COLOR: '1' };
  const { code, output } = await tryCommand(deps, { command: process.execPath, args, cwd: PROJECT_ROOT, env });
  if (code === 0) return { passed: 1, failed: 0 };
  console.error(output.trimEnd());
  return { passed: 0, failed: 1 };
}

function isThere(folder: string): boolean {
  return existsSync(join(PROJECT_ROOT, folder));
}
