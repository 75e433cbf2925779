import type { Statement } from '#server/db/database.ts';

/**
 * One event, locked until its effect and its mark are committed together; null when somebody else has it or had it.
 *
 * $1 provider, $2 event id
 */
export const takeInboxEventSql: Statement = {
  name: 'take_inbox_event',
  text: `
select e.event_type, e.body, e.attempts, (extract(epoch from protocol_now() - e.received_at) * 1000)::float8 as age_ms
from inbox_events e where e.provider = $1 and e.event_id = $2 and e.applied_at is null
for update skip locked`,
};
