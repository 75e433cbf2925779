import type { Db, Statement } from '#server/db/database.ts';

/** Stops a reset of second factors that waits, whoever asked for it. @returns whether one waited */
export async function stopFactorReset(deps: { db: Db }, input: { userId: string }): Promise<boolean> {
  const rows = await deps.db.query(stopSql, [input.userId]);
  return rows.length > 0;
}

const stopSql: Statement = {
  name: 'stop_factor_reset',
  text: `
    update second_factor_resets set ended_at = protocol_now(), ended_by = 'stopped'
    where user_id = $1 and ended_at is null returning 1`,
};
