import type { Statement } from '#server/db/database.ts';
import { withdrawalColumns } from '#server/sql/withdrawal-columns.sql.ts';

/** The row under a key, whoever owns it: the caller compares the owner and shows a stranger nothing. */
export const findWithdrawalByKeySql: Statement = {
  name: 'find_withdrawal_by_key',
  text: `select protocol_now() as now, ${withdrawalColumns('w')} from withdrawals w where w.idempotency_key = $1`,
};
