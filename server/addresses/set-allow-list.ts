import type { Db, Statement } from '#server/db/database.ts';

/**
 * "Only my address book": on at once, off after the delay that the database keeps (`customers_allow_list_off_waits`).
 * Switching it on again takes a waiting switch-off back.
 */
export async function setAllowList(deps: { db: Db }, input: { customerId: string; on: boolean }): Promise<void> {
  await deps.db.query(input.on ? switchOnSql : switchOffSql, [input.customerId]);
}

const switchOnSql: Statement = {
  name: 'allow_list_on',
  text: 'update customers set allow_list = true, allow_list_off_at = null where id = $1',
};

/** Asked twice, the first asking counts. */
const switchOffSql: Statement = {
  name: 'allow_list_off',
  text: `
    update customers c set allow_list_off_at = protocol_now() + s.allow_list_off_delay from protocol_settings s
    where c.id = $1 and c.allow_list and c.allow_list_off_at is null`,
};
