import pg from 'pg';
import { createTestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../migrate.ts';
import { HOUSE } from './house.ts';

/** A database that one file of tests has to itself, with every migration applied and a small house in it. */
export interface GuardDatabase {
  /** Sessions of the superuser who owns the tables: what these tests fear is not a customer but a script with every right. */
  readonly pool: pg.Pool;
  drop(): Promise<void>;
}

/**
 * The plain driver, because what is tried here is what anybody with a console could do; fifty sessions, because some of it
 * is tried at once.
 */
export async function createGuardDatabase(): Promise<GuardDatabase> {
  const database = await createTestDatabase({ migrate });
  const pool = new pg.Pool({ connectionString: database.url, max: 50, idleTimeoutMillis: 0 });
  // The drop also ends sessions that the pool has let go and that have not closed yet; nobody else listens to them.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // And those that it still counted as its own when the word came: without a listener that would end the run.
  pool.on('error', () => undefined);
  await pool.query(HOUSE);
  return {
    pool,
    drop: async () => {
      await pool.end();
      await database.close();
    },
  };
}
