import type { Statement } from '#server/db/database.ts';

/**
 * One event, locked until its effect and its mark are committed together; null when somebody else has it or had it.
 *
 * $1 event id, $2 provider
 */
export const takeInboxEventSql: Statement = {
  name: 'take_inbox_event',
  text: `
select e.event_type, e.body, e.attempts, (extract(epoch from protocol_now() - e.received_at) * 1000)::float8 as age_ms
from inbox_events e where e.provider = $2 and e.event_id = $1 and e.applied_at is null
for update skip locked`,
};

/** The same for many. $1 event ids, $2 their providers */
export const takeInboxEventsSql: Statement = {
  name: 'take_inbox_events',
  text: `
with taken as (
  select e.provider, e.event_id, e.event_type, e.body, e.attempts, e.received_at
  from inbox_events e where e.event_id = any($1::text[]) and e.provider = any($2::text[]) and e.applied_at is null
  for update skip locked
)
select q.place::integer as place, t.event_type, t.body, t.attempts, (extract(epoch from (select protocol_now()) - t.received_at) * 1000)::float8 as age_ms
from unnest($1::text[], $2::text[]) with ordinality as q(event_id, provider, place)
join taken t on t.event_id = q.event_id and t.provider = q.provider`,
};
