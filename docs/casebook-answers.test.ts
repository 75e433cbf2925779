import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const named = (name: string, ofNumbers: readonly number[]) =>
  ofNumbers.map((number) => `${name}${String(number).padStart(2, '0')}`);

/** The cases by their names, of the sections that are answered in full. The gaps are the catalogue's own. */
const CASES = [
  ...named('Q', [...numbers(1, 11), ...numbers(13, 19)]),
  ...named('DB', [...numbers(1, 6), ...numbers(9, 14), ...numbers(17, 19)]),
  ...named('CU', [1, 2, 3, ...numbers(5, 9), ...numbers(11, 18)]),
  ...named('LE', numbers(1, 9)),
  ...named('UI', [...numbers(1, 7), ...numbers(10, 21)]),
  ...named('WH', [1, 2, 4, 5, 6, 7, 9]),
  ...named('IX', [1, 2, 3, 4, 6, 7, 8, 9]),
  ...named('OP', [2, 3, 4, 6, 7, 8]),
  ...numbers(1, 107).map((number) => `EC${number}`),
];

interface Answer {
  readonly case: string;
  readonly file: string;
  readonly title: string;
}

const answers: readonly Answer[] = [
  ...readFileSync(join(import.meta.dirname, 'casebook-answers.md'), 'utf8').matchAll(
    /^\| ([A-Z]+\d+(?: to [A-Z]+\d+)?) \| `([^`]+)` \| (.+) \|$/gm,
  ),
].map(([, name = '', file = '', title = '']) => ({ case: name, file, title: title.replaceAll('\\|', '|') }));

/** What a file says, with the quotes in its strings as they are read. */
const readTest = (file: string) => readFileSync(join(ROOT, file), 'utf8').replaceAll("\\'", "'");

test('every case of the sections that are answered in full has an answer', () => {
  const answered = new Set(answers.map((answer) => answer.case));
  expect(CASES.filter((name) => !answered.has(name))).toEqual([]);
});

test('every answer names a test that exists, by its file and its title', () => {
  expect(answers.length).toBeGreaterThan(250);
  const gone = answers.filter(({ file, title }) => !existsSync(join(ROOT, file)) || !readTest(file).includes(title));
  expect(gone).toEqual([]);
});

test('every line of the table is read as an answer', () => {
  const lines = readFileSync(join(import.meta.dirname, 'casebook-answers.md'), 'utf8').split('\n');
  const unread = lines.filter((line) => line.startsWith('| ') && !line.startsWith('| case |')).length - answers.length;
  expect(unread).toBe(0);
});
