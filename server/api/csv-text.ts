import { stringify } from 'csv-stringify/sync';

/**
 * Rows as CSV for a spreadsheet. A text that begins like a formula is quoted so that it stays text: addresses, memos and labels
 * are written by strangers. (OP07)
 *
 * @param columns in order
 */
export function csvText<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  return lines(rows.map((row) => columns.map((column) => cellOf(row[column]))));
}

/** What stands above the rows: their names, behind the mark that tells a spreadsheet that it is UTF-8. */
export function csvHead(columns: readonly string[]): string {
  return `\uFEFF${lines([[...columns]])}`;
}

/** A line that is no row: one cell of words. */
export function csvNote(text: string): string {
  return lines([[text]]);
}

function lines(cells: string[][]): string {
  // Only what ends our lines is quoted of itself: a line break of another kind would end one, too.
  return stringify(cells, { escape_formulas: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
