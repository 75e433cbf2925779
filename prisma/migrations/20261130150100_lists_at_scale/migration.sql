-- What keeps every list and every search of the operators' room by index over millions of rows. What is open has its indexes already.

-- One entry when a withdrawal ends, none before: acceptance and dispatch pay nothing.
create index withdrawals_ended_newest on withdrawals (status, requested_at desc, id desc) include (refusal_code)
  where status in ('completed', 'failed', 'cancelled', 'rejected', 'refused');
-- "Who was paid at this address": found whatever its capitals.
create index withdrawals_address on withdrawals (lower(address), requested_at desc, id desc);
-- The counts of the last day.
create index inbox_events_received on inbox_events (received_at);
create index notifications_given_up on notifications (created_at desc) where given_up_at is not null;
-- The audit by what was done, to what, by whom, each newest first.
create index audit_log_subject on audit_log (subject, seq);
create index audit_log_action on audit_log (action, seq);
create index audit_log_actor on audit_log (actor_id, seq);

-- Repeated requests that were answered with the first withdrawal, by the hour: counted in the processes that answer, and written down
-- every few seconds, so that a restart does not forget them.
create table replay_counts (
  hour timestamptz primary key,
  replays bigint not null constraint replay_counts_positive check (replays > 0)
);
comment on constraint replay_counts_positive on replay_counts is 'nothing is counted down';
