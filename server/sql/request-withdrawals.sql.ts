import type { Statement } from '#server/db/database.ts';
import { withdrawalColumns } from '#server/sql/withdrawal-columns.sql.ts';

/**
 * The accepting call for many requests at once, in one transaction: the place of each, counted from 1, and its own outcome.
 * 'busy' asks for that request alone: somebody else holds its customer's lock.
 *
 * $1 the requests as a JSON array, their fields named as in `request_withdrawals`
 */
export const requestWithdrawalsSql: Statement = {
  name: 'request_withdrawals',
  text: `
    select r.ordinal, r.outcome, r.outbox_id, r.look_alike, (select protocol_now()) as now, ${withdrawalColumns('(r.w)')}
    from request_withdrawals($1::jsonb) r`,
};
