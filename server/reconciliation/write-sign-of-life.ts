import type { Db, Statement } from '#server/db/database.ts';

/** Somebody is there to remember: what a later start needs to know how long nobody was. */
export async function writeSignOfLife(deps: { db: Db }): Promise<void> {
  await deps.db.query(writeSignOfLifeSql, []);
}

const writeSignOfLifeSql: Statement = {
  name: 'write_sign_of_life',
  text: 'update protocol_settings set alive_at = protocol_now()',
};
