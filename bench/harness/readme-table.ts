import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '#stack/project-root.ts';

const BEGIN = '<!-- bench: written by `npm run bench`, not by hand -->';
const END = '<!-- bench: end -->';

/**
 * Puts the table between its marks.
 *
 * @throws when the text has no such marks
 */
export function replaceTable(text: string, table: string): string {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`the README has no place for the figures: ${BEGIN} … ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n${table}\n${text.slice(end)}`;
}

export function writeReadmeTable(table: string): void {
  const path = join(PROJECT_ROOT, 'README.md');
  writeFileSync(path, replaceTable(readFileSync(path, 'utf8'), table));
}
