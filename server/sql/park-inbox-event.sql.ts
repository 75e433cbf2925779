import type { Statement } from '#server/db/database.ts';

/**
 * The event waits: nothing here knows what it speaks of yet, or applying it went wrong.
 *
 * $1 provider, $2 event id, $3 milliseconds, $4 reason
 */
export const parkInboxEventSql: Statement = {
  name: 'park_inbox_event',
  text: `
update inbox_events
set next_attempt_at = protocol_now() + $3::float8 * interval '1 millisecond', attempts = attempts + 1, outcome = 'parked', reason = $4
where provider = $1 and event_id = $2 and applied_at is null`,
};
