-- A second factor at sign-in, the way back for whoever lost every one of theirs, and the language of a person's mail.

-- The language in which we write to a person, as they chose it last.
alter table users add column language text not null default 'en' constraint users_language_known check (language in ('en', 'de'));

-- Long enough that the owner of an account reads the mail and stops a reset that somebody else asked for.
alter table protocol_settings add column second_factor_reset_wait interval not null default '72 hours',
  add constraint protocol_settings_reset_wait_not_negative check (second_factor_reset_wait >= '0');

-- Password, then the mailbox, then the wait: only all three together take second factors away.
create table second_factor_resets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  token_sha256 text not null constraint second_factor_resets_token_unique unique,
  asked_at timestamptz not null default protocol_now(),
  -- Null until the link of the mail was used.
  started_at timestamptz,
  due_at timestamptz,
  ended_at timestamptz,
  ended_by text constraint second_factor_resets_ended_by check (ended_by in ('stopped', 'done', 'replaced')),
  constraint second_factor_resets_due_when_started check ((started_at is null) = (due_at is null)),
  constraint second_factor_resets_end_has_cause check ((ended_at is null) = (ended_by is null))
);
create unique index second_factor_resets_one_open on second_factor_resets (user_id) where ended_at is null;
create function second_factor_resets_guard() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null then
    raise exception using errcode = 'P0001', constraint = 'second_factor_resets_end_once', message = 'second_factor_resets_end_once: a reset that was stopped stays stopped';
  end if;
  if new.due_at is distinct from old.due_at and old.due_at is not null then
    raise exception using errcode = 'P0001', constraint = 'second_factor_resets_due_stays', message = 'second_factor_resets_due_stays: a wait that began is not shortened';
  end if;
  if new.ended_by = 'done' and (old.due_at is null or old.due_at > protocol_now()) then
    raise exception using errcode = 'P0001', constraint = 'second_factor_resets_wait_is_over', message = 'second_factor_resets_wait_is_over: nothing is taken away before the wait is over';
  end if;
  return new;
end $$;
create trigger second_factor_resets_guard before update on second_factor_resets for each row execute function second_factor_resets_guard();

-- One more kind of notice, beside whatever kinds there are by now.
do $$
declare v_known text := (select pg_get_expr(conbin, conrelid) from pg_constraint where conname = 'notifications_kind');
begin
  alter table notifications drop constraint notifications_kind;
  execute format('alter table notifications add constraint notifications_kind check (%s or kind = ''second_factor_reset'')', v_known);
end $$;
