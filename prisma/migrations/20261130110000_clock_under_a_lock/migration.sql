-- `protocol_now()` is the moment at which a transaction began. One that then waited for a lock judges what it finds there by a
-- moment before it was written. This is the moment of the call: for what is decided or written down once the lock is held.
-- The decision "two readings of one clock" says for every statement that locks which of the two it reads, and why.
create function protocol_clock() returns timestamptz language sql volatile as
$$ select clock_timestamp() + clock_offset from protocol_settings $$;

-- A claim that waited for its row sends when it has it, and the quiet period counts from then; a lost memory's attempt that
-- seemed older than its own spell would be written a second time.
alter table withdrawal_attempts alter column started_at set default protocol_clock();
-- The second of two moves never reads as the first.
alter table withdrawal_history alter column at set default protocol_clock();

-- Two changes of security at once: whichever began first and waited would seem to undo the other, and be refused by
-- `customers_freeze_runs_out` with all that came with it.
create or replace function freeze_after_security_change(p_user uuid, p_what text) returns void language plpgsql as $$
declare v_until timestamptz;
begin
  update customers c set security_changed_at = greatest(c.security_changed_at, protocol_now()),
    frozen_until = greatest(c.frozen_until, protocol_now() + (select s.security_freeze from protocol_settings s))
    where c.id = p_user returning c.frozen_until into v_until;
  insert into notifications (subject_id, kind, user_id, data)
    values (gen_random_uuid(), 'security_change', p_user, jsonb_build_object('what', p_what, 'frozenUntil', v_until));
end $$;

-- The chain is in the order of its lock, and its times are too.
create or replace function audit_log_chain() returns trigger language plpgsql as $$
begin
  -- One at a time, or two rows would follow the same one. Held until the commit, so deeds that are audited are few and short.
  perform pg_advisory_xact_lock(5210417002);
  select l.seq + 1, l.hash into new.seq, new.previous_hash from audit_log l order by l.seq desc limit 1;
  if not found then
    new.seq := 1;
    new.previous_hash := '';
  end if;
  new.at := protocol_clock();
  new.hash := audit_log_hash(new);
  return new;
end $$;
