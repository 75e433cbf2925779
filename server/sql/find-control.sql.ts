import type { Statement } from '#server/db/database.ts';

/**
 * The newest transfer that custody accepted before a moment: whoever finds nothing must find this one. One row of
 * `withdrawals_accepted_newest`, whatever the table's size.
 *
 * $1 provider, $2 account, $3 the moment
 */
export const findControlSql: Statement = {
  name: 'find_control',
  text: `
select w.idempotency_key as reference, w.transfer_id, w.submitted_at
from withdrawals w
where w.provider = $1 and w.provider_account = $2 and w.transfer_id is not null and w.submitted_at < $3
order by w.submitted_at desc limit 1`,
};
