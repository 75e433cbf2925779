import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#stack/project-root.ts';

const END = '<!-- bench: end -->';

/**
 * Puts the table between the marks of the command that writes it.
 *
 * @throws when the text has no such marks
 */
export function replaceTable(text: string, table: string, command = 'bench'): string {
  const mark = `<!-- bench: written by \`npm run ${command}\`, not by hand -->`;
  const begin = text.indexOf(mark);
  const end = begin < 0 ? -1 : text.indexOf(END, begin);
  if (end < 0) throw new Error(`the README has no place for the figures: ${mark} … ${END}`);
  return `${text.slice(0, begin + mark.length)}\n${table}\n${text.slice(end)}`;
}

export function writeReadmeTable(table: string): void {
  const path = join(PROJECT_ROOT, 'README.md');
  writeFileSync(path, replaceTable(readFileSync(path, 'utf8'), table));
}
