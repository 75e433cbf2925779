import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import type { Mutant, Patch } from './mutant.ts';

const COPIED = ['server', 'worker', 'mock-custody', 'prisma', 'stack', 'e2e', 'app'];
const COPIED_FILES = ['package.json', 'tsconfig.json', 'vitest.config.ts'];

/** A copy of the sources in which mutants live; ours are never touched. */
export interface Copy {
  readonly folder: string;
  /** Puts the patches in. @returns takes them out again */
  sabotage(mutant: Mutant): () => void;
}

export function copySources(folder: string): Copy {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of COPIED) {
    if (existsSync(join(PROJECT_ROOT, name))) cpSync(join(PROJECT_ROOT, name), join(folder, name), { recursive: true });
  }
  for (const name of COPIED_FILES) cpSync(join(PROJECT_ROOT, name), join(folder, name));
  symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    sabotage: (mutant) => {
      const before = new Map<string, string>();
      for (const patch of mutant.patches) {
        const path = join(folder, patch.file);
        const text = readFileSync(path, 'utf8');
        if (!before.has(path)) before.set(path, text);
        writeFileSync(path, applyPatch(text, patch, mutant));
      }
      return () => {
        for (const [path, text] of before) writeFileSync(path, text);
      };
    },
  };
}

/** @throws when the place is not there exactly once */
export function applyPatch(text: string, { find, put, file }: Patch, { name }: Pick<Mutant, 'name'>): string {
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`mutant "${name}": its place stands ${places} times in ${file}`);
  // As a function: a replacement text may hold dollar signs.
  return text.replace(find, () => put);
}
