import pg from 'pg';
import { closeReferenceSql } from './close-reference.sql.ts';
import { createTransfersSql } from './create-transfers.sql.ts';
import { functionsSql } from './functions.sql.ts';
import { memoryLossSql } from './memory-loss.sql.ts';
import { progressSql } from './progress.sql.ts';
import { logGuardSql, schemaSql } from './schema.sql.ts';
import { simulatedChainSql } from './simulated-chain.sql.ts';

const statements = [
  schemaSql,
  logGuardSql,
  functionsSql,
  createTransfersSql,
  closeReferenceSql,
  progressSql,
  memoryLossSql,
  simulatedChainSql,
];

/** What the verbs need from the provider's database: one statement, one transaction. */
export type Database = pg.Pool;

export function openDatabase(url: string): Database {
  const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'mock-custody' });
  // An idle connection that dies (Postgres restarted) is replaced by the pool; without a listener it would end us.
  pool.on('error', () => undefined);
  return pool;
}

/** Makes the tables and functions. Safe at every start and with two processes starting together. */
export async function applySchema(database: Database): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(7220000)');
    await client.query("set local client_min_messages = 'warning'");
    for (const sql of statements) await client.query(sql);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => undefined);
    throw new Error('the schema of mock-custody could not be applied', { cause });
  } finally {
    client.release();
  }
}
