import type { Statement } from '#server/db/database.ts';
import { withdrawalColumns } from '#server/sql/withdrawal-columns.sql.ts';

/**
 * The accepting call for one request, which waits for its customer's lock: find, lock, decide, insert, hold, history and outbox in one
 * round trip. Limits are counted in it, under the lock, and the code or signature that confirms the request is spent in it.
 * Outcomes are rows: an error would cost the connection.
 *
 * $1 the request as JSON, its fields named as in `request_withdrawals`
 */
export const requestConfirmedWithdrawalSql: Statement = {
  name: 'request_confirmed_withdrawal',
  text: `
    select r.outcome, r.outbox_id, r.look_alike, protocol_now() as now, ${withdrawalColumns('(r.w)')}
    from request_confirmed_withdrawal($1::jsonb) r`,
};
