import type { Statement } from '#server/db/database.ts';

/** How many events wait to be applied, how many of them are parked, and for how long the oldest has. */
export const findInboxBacklogSql: Statement = {
  name: 'find_inbox_backlog',
  text: `
select count(*)::integer as waiting, count(*) filter (where e.outcome = 'parked')::integer as parked,
  coalesce(extract(epoch from protocol_now() - min(e.received_at)) * 1000, 0)::float8 as oldest_ms
from inbox_events e where e.applied_at is null`,
};
