import type { Statement } from '#server/db/database.ts';

/**
 * Takes waiting wake-ups for a while, instead of holding a transaction open while Redis is asked. Read by "not yet relayed",
 * never by "id greater than", because rows commit out of order; what another relay holds is skipped.
 *
 * $1 ids or null for any, $2 how many at most, $3 milliseconds of the lease
 */
export const leaseOutboxSql: Statement = {
  name: 'lease_outbox',
  text: `
update outbox o set not_before = (select protocol_now()) + $3::float8 * interval '1 millisecond'
from (
  select x.id from outbox x
  where x.relayed_at is null and x.not_before <= protocol_now() and ($1::bigint[] is null or x.id = any($1::bigint[]))
  order by x.not_before limit $2
  for update skip locked
) due
where o.id = due.id
returning o.id, o.withdrawal_id`,
};
