import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createCsvWriter } from './csv-writer.ts';

async function write(...cells: string[]): Promise<string[]> {
  const csv = createCsvWriter(['memo', 'amount']);
  for (const memo of cells) csv.write({ memo, amount: '12.5' });
  csv.end();
  return (await text(csv)).split('\n');
}

test('it begins with the names of its columns', async () => {
  expect((await write('a'))[0]).toMatch(/^\uFEFF?memo,amount$/);
});

test.each([
  '=HYPERLINK("https://evil.example")',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  '\t=1+1',
  '\uFF1D1+1',
  '\uFF0B1',
  '\uFF20x',
])('a cell that begins like a formula, %j, is text to a spreadsheet', async (cell) => {
  const row = (await write(cell)).slice(1).join('\n');
  expect(row.replace(/^"/, '').startsWith("'")).toBe(true);
});

test('quotes, commas and line breaks stay inside their cell', async () => {
  const rows = await write('a,b', 'say "yes"', 'two\nlines', 'plain');
  expect(rows.slice(1).join('\n')).toBe('"a,b",12.5\n"say ""yes""",12.5\n"two\nlines",12.5\nplain,12.5\n');
});

test('plain amounts, addresses and numbers are written as they are', async () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  expect(await write(address, '1234567890')).toEqual([expect.anything(), `${address},12.5`, '1234567890,12.5', '']);
});
