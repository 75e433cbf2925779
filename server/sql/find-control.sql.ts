import type { Statement } from '#server/db/database.ts';

/**
 * The newest transfer that custody accepted before a moment: whoever finds nothing must find this one. One row of
 * `withdrawals_accepted_newest`, whatever the table's size. What custody lost, and two people have closed the case of, is no
 * control any more: it will never be shown again.
 *
 * $1 provider, $2 account, $3 the moment
 */
export const findControlSql: Statement = {
  name: 'find_control',
  text: `
select w.idempotency_key as reference, w.transfer_id, w.submitted_at
from withdrawals w
where w.provider = $1 and w.provider_account = $2 and w.transfer_id is not null and w.submitted_at < $3
  and not exists (select 1 from cases k where k.fingerprint = 'control_not_found::' || w.idempotency_key and k.closed_at is not null)
order by w.submitted_at desc limit 1`,
};
