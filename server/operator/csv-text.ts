import { stringify } from 'csv-stringify/sync';

/**
 * Rows as CSV for a spreadsheet. A text that begins like a formula is quoted so that it stays text: addresses, memos and labels
 * are written by strangers. (OP07)
 *
 * @param columns in order; the first line names them
 */
export function csvText<Row extends object>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => cellOf(row[column])));
  return stringify([[...columns], ...cells], { escape_formulas: true, record_delimiter: 'windows' });
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
