import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Db } from '#server/db/database.ts';
import { serveSignedIn } from '../door/signed-in-door.ts';
import { BARE_ACCEPT } from './bare.sql.ts';
import { openQueue } from './peer-queues.ts';

// A customer who is signed in, and one statement. No guards against other pages, no policy, no limits.
const { DATABASE_URL: url = '', REDIS_URL: redisUrl = '', QUEUE: queueName = '', PORT: port = '' } = process.env;
const pool = new pg.Pool({ connectionString: url, max: 16 });
pool.on('error', () => undefined);
const queue = await openQueue(queueName, { url, redisUrl, pool, isPatient: process.env.PATIENT === '1' });
// Sessions are looked up on the same connections: as many as each contestant's door has.
const db: Db = {
  query: async <Row extends object>(statement: { name: string; text: string }, values: readonly unknown[]) =>
    (await pool.query<Row>({ ...statement, values: [...values] })).rows,
};

serveSignedIn({ db, port: Number(port) }, async ({ key, customer, asset, network, address, amount }) => {
  const values = [randomUUID(), key, customer, asset, network, address, amount];
  await queue.accept({ name: 'bare_accept', text: BARE_ACCEPT, values });
  return { replayed: false };
});
