import type { Db, Statement } from '#server/db/database.ts';

/**
 * Somebody is there to remember: what a later start needs to know how long nobody was.
 *
 * @param input.life in which custody's list was walked
 * @returns false in another life of the database: it was restored or started again, and the list has to be walked anew
 */
export async function writeSignOfLife(deps: { db: Db }, input: { life: string }): Promise<boolean> {
  return (await deps.db.query(writeSignOfLifeSql, [input.life])).length > 0;
}

const writeSignOfLifeSql: Statement = {
  name: 'write_sign_of_life',
  text: 'update protocol_settings set alive_at = protocol_now(), alive_in = $1 where server_life() = $1 returning alive_in',
};
