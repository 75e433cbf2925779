import type { Statement } from '#server/db/database.ts';

/** How many wake-ups wait for the queue, and for how long the oldest has. Reads the small partial index only. */
export const findOutboxBacklogSql: Statement = {
  name: 'find_outbox_backlog',
  text: `
select count(*)::integer as waiting,
  coalesce(extract(epoch from protocol_now() - min(o.created_at)) * 1000, 0)::float8 as oldest_ms
from outbox o where o.relayed_at is null`,
};
