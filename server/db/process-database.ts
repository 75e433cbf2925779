import { createDatabase, type Database } from '#server/db/database.ts';
import { readEnv } from '#server/env.ts';
import { logger } from '#server/logger.ts';

const SLOT = Symbol.for('cryptoex.database');
const holder: typeof globalThis & { [SLOT]?: Database } = globalThis;

/**
 * The one database of this process, opened on first use. Pages, route handlers and the server each get their own copy of
 * every module from the bundler; only a slot on `globalThis` gives them one pool.
 */
export function processDatabase(): Database {
  holder[SLOT] ??= createDatabase({
    url: readEnv().databaseUrl,
    // Sixteen: what two cores keep busy; more only queue inside Postgres.
    max: 16,
    applicationName: 'cryptoex',
    onError: (error) => logger().warn('database.connection_lost', { reason: error.message }),
  });
  return holder[SLOT];
}
