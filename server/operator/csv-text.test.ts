import { expect, test } from 'vitest';
import { csvText } from '#server/operator/csv-text.ts';

test.each(['=HYPERLINK("http://x")', '+1', '-1', '@a', '\t=1', '\r=1'])(
  'OP07: %j is exported as text and never as a formula',
  (memo) => {
    const line = csvText(['memo'], [{ memo }]).slice('memo\r\n'.length);
    const cell = line.startsWith('"') ? line.slice(1) : line;
    expect(cell.startsWith("'")).toBe(true);
    expect(line).toContain(memo.replaceAll('"', '""').trim());
  },
);

test('OP07: markup stays what it is; a spreadsheet shows it as text', () => {
  expect(csvText(['label'], [{ label: '<img onerror>' }])).toBe('label\r\n<img onerror>\r\n');
});

test('a missing value is an empty cell, a list is JSON', () => {
  expect(csvText(['a', 'b'], [{ a: null, b: ['x'] }])).toBe('a,b\r\n,"[""x""]"\r\n');
});
