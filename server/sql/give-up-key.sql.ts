import type { Statement } from '#server/db/database.ts';
import { withdrawalColumns } from '#server/sql/withdrawal-columns.sql.ts';

/** A refusal stored under the key, or the withdrawal that is already there. Waits for a request that is being committed. */
export const giveUpKeySql: Statement = {
  name: 'give_up_key',
  text: `
    select r.outcome, protocol_now() as now, ${withdrawalColumns('(r.w)')}
    from give_up_key($1, $2, $3, $4) r`,
};
