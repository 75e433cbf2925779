import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from './project-root.ts';

/**
 * One hash over the contents of files and folders (paths from the root); tests and generated code do not count.
 *
 * @param salt what else the result depends on
 */
export function hashSources(paths: string[], salt: string): string {
  const hash = createHash('sha256').update(`${process.version} ${salt}`);
  for (const path of paths.flatMap(listFiles)) {
    hash.update(`\0${path}\0`).update(readFileSync(join(PROJECT_ROOT, path)));
  }
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  const absolute = join(PROJECT_ROOT, path);
  if (!existsSync(absolute) || path === 'server/db/generated' || /\.(test|spec)\.tsx?$/.test(path)) return [];
  if (!statSync(absolute).isDirectory()) return [path];
  return readdirSync(absolute)
    .sort()
    .flatMap((name) => listFiles(`${path}/${name}`));
}
