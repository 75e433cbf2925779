import type { Db } from '#server/db/database.ts';
import { DatabaseError } from '#server/db/database-error.ts';
import { requestConfirmedWithdrawalSql } from '#server/sql/request-confirmed-withdrawal.sql.ts';
import type { AcceptanceCall, AcceptedRow } from '#server/withdrawals/acceptance-call.ts';

/**
 * The accepting call for one request, in a transaction of its own. It waits for its customer's lock.
 *
 * @throws DatabaseError
 */
export async function acceptAlone(deps: { db: Db }, call: AcceptanceCall): Promise<AcceptedRow> {
  const once = async () => {
    const [row] = await deps.db.query<AcceptedRow>(requestConfirmedWithdrawalSql, [JSON.stringify(call)]);
    if (row === undefined) throw new Error('the accepting call has no outcome');
    return row;
  };
  try {
    return await once();
  } catch (error) {
    // Rolled back whole, and by chance: the same key again is the same request.
    if (error instanceof DatabaseError && error.trouble === 'try_again') return await once();
    throw error;
  }
}
