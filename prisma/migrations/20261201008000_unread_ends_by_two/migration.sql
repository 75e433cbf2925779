-- What custody signed on a network that we do not read ends as failed by two people, whatever was refused before and whether or not
-- somebody took its flag away first: nothing else can say there that a transaction is dead. Where nothing was signed, custody's own final
-- failure ends it, unless it waits for people.
create function withdrawals_unread_release_guard() returns trigger language plpgsql as $$
begin
  if (old.parked_at is not null or exists (select 1 from withdrawal_transactions t where t.withdrawal_id = new.id)
      and not exists (select 1 from chain_cursors c where c.network_id = new.network_id))
    and not exists (select 1 from withdrawal_resolutions r where r.withdrawal_id = new.id and r.deed = 'release'
      and r.fence = old.fence and r.revision = old.revision and r.confirmed_at is not null) then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_unread_released_by_two', message = format('withdrawals_unread_released_by_two: withdrawal %s may still be paid where we do not read, and no two people agreed', new.id);
  end if;
  return null;
end $$;
drop trigger withdrawals_unread_released_by_two on withdrawals;
create constraint trigger withdrawals_unread_released_by_two after update on withdrawals deferrable initially deferred
  for each row when (old.status in ('submitted', 'broadcast') and new.status = 'failed')
  execute function withdrawals_unread_release_guard();
comment on trigger withdrawals_unread_released_by_two on withdrawals is 'what custody signed where nobody of ours reads the chain ends by two people, never by a script';
comment on function withdrawals_unread_release_guard() is E'withdrawals_unread_released_by_two: what custody signed where nobody of ours reads the chain ends by two people, never by a script';
