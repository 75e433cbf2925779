import pg from 'pg';
import { stack } from './running-stack.ts';

// A spec asks one question at a time; the second connection is for one that outlived a Postgres that was killed.
const pool = new pg.Pool({ connectionString: stack.urls.database, max: 2 });
// A Postgres that a test kills takes idle connections along; the next question opens a new one.
pool.on('error', () => undefined);

/** Asks the product's own database, past the product. */
export async function askDatabase<Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await pool.query<Row>(text, [...values])).rows;
}
