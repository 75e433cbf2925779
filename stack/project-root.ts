import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The checkout: this code runs from stack/ under test and from a build folder when started. */
export const PROJECT_ROOT = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package-lock.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package-lock.json was not found above this file');
  return findRoot(parent);
}
