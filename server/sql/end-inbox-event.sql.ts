import type { Statement } from '#server/db/database.ts';

/**
 * The event is applied, in the transaction of its effect.
 *
 * $1 event id, $2 provider, $3 outcome, $4 reason or null
 */
export const endInboxEventSql: Statement = {
  name: 'end_inbox_event',
  text: `
update inbox_events set applied_at = protocol_now(), attempts = attempts + 1, outcome = $3, reason = $4
where provider = $2 and event_id = $1 and applied_at is null`,
};

/** The same for many. $1 to $4 arrays of what `end_inbox_event` takes */
export const endInboxEventsSql: Statement = {
  name: 'end_inbox_events',
  text: `
update inbox_events e set applied_at = (select protocol_now()), attempts = e.attempts + 1, outcome = q.outcome, reason = q.reason
from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as q(event_id, provider, outcome, reason, place)
where e.provider = q.provider and e.event_id = q.event_id and e.applied_at is null
returning q.place::integer as place`,
};
