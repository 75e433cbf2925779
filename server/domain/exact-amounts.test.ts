import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOTS = ['server/domain', 'app'];

/** Where a number that is no amount is read. A new line here says what it reads, and why that is never money. */
const ALLOWED: Readonly<Record<string, string>> = {
  'server/domain/custody-outcome.ts': 'whole seconds of Retry-After',
};

// Each of these turns a text or a bigint into a float, and a float forgets the last digits of an amount.
const FLOATS = /\bNumber\(|\bparseFloat\b|\bparseInt\b|\.toFixed\(|\.toPrecision\(|\.toExponential\(/;

function sourcesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'));
}

test('AM01, AM03, EC92: no amount in the rules or on a screen passes through a float', () => {
  const files = ROOTS.flatMap(sourcesUnder);
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((file) => {
    if (file in ALLOWED) return [];
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line, index) => (FLOATS.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : []));
  });
  expect(found).toEqual([]);
});

test('every exception still names a file that needs one', () => {
  for (const file of Object.keys(ALLOWED)) expect(FLOATS.test(readFileSync(file, 'utf8')), file).toBe(true);
});
