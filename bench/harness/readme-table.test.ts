import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { replaceTable } from './readme-table.ts';

test('the table goes between its marks in our README, and nothing else of it moves', () => {
  const readme = readFileSync(join(PROJECT_ROOT, 'README.md'), 'utf8');
  const once = replaceTable(readme, '| a | b |');
  expect(once).toContain('\n| a | b |\n<!-- bench: end -->');
  expect(replaceTable(once, '| c | d |')).toBe(once.replace('| a | b |', '| c | d |'));
  expect(once.split('<!-- bench')[0]).toBe(readme.split('<!-- bench')[0]);
});

test('a text without its marks is refused', () => {
  expect(() => replaceTable('no marks', '')).toThrow('no place for the figures');
});
