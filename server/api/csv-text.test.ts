import { expect, test } from 'vitest';
import { csvHead, csvText } from '#server/api/csv-text.ts';

test('a file begins with the names of its columns, marked as UTF-8', () => {
  expect(csvHead(['memo', 'amount'])).toBe('\uFEFFmemo,amount\r\n');
});

test.each(['=HYPERLINK("http://x")', '+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\uFF1D1+1', '\uFF0B1', '\uFF20x'])(
  'OP07: %j is exported as text and never as a formula',
  (memo) => {
    const line = csvText(['memo'], [{ memo }]);
    const cell = line.startsWith('"') ? line.slice(1) : line;
    expect(cell.startsWith("'")).toBe(true);
    expect(line).toContain(memo.replaceAll('"', '""').trim());
  },
);

test('OP07: markup stays what it is; a spreadsheet shows it as text', () => {
  expect(csvText(['label'], [{ label: '<img onerror>' }])).toBe('<img onerror>\r\n');
});

test('quotes, commas and line breaks stay inside their cell', () => {
  const rows = ['a,b', 'say "yes"', 'two\nlines', 'plain'].map((memo) => ({ memo, amount: '12.5' }));
  expect(csvText(['memo', 'amount'], rows)).toBe(
    '"a,b",12.5\r\n"say ""yes""",12.5\r\n"two\nlines",12.5\r\nplain,12.5\r\n',
  );
});

test('plain amounts, addresses and numbers are written as they are', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  expect(csvText(['a', 'b'], [{ a: address, b: '1234567890' }])).toBe(`${address},1234567890\r\n`);
});

test('a missing value is an empty cell, a list is JSON', () => {
  expect(csvText(['a', 'b'], [{ a: null, b: ['x'] }])).toBe(',"[""x""]"\r\n');
});
