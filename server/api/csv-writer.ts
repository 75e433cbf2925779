import { type Stringifier, stringify } from 'csv-stringify';

/** Rows as text for a spreadsheet, under a line of these names. A cell that begins like a formula gets an apostrophe. */
export function createCsvWriter(columns: readonly string[]): Stringifier {
  // The mark at its beginning tells a spreadsheet that it is UTF-8.
  return stringify({ header: true, columns: [...columns], escape_formulas: true, bom: true });
}
