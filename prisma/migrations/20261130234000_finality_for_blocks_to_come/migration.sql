-- A network's finality is raised at once. Lowered, it comes into force when every block that stood at that moment is final under the
-- old number, so that nothing becomes final because somebody turned a knob.
alter table networks
  add column confirmations_held integer,
  add column held_until_block bigint,
  add constraint networks_held_whole check ((confirmations_held is null) = (held_until_block is null)),
  add constraint networks_held_confirmations check (confirmations_held > 0);
comment on constraint networks_held_whole on networks is 'an old finality is held for the blocks up to one, and for no others';
comment on constraint networks_held_confirmations on networks is 'a finality is a number of blocks, also the one before';

-- How many confirmations make a block final while the newest block is this one.
create function finality_at(n networks, p_head bigint) returns integer language sql immutable as $$
  select case when n.held_until_block + n.confirmations_held > p_head + 1 then greatest(n.confirmations_required, n.confirmations_held)
    else n.confirmations_required end
$$;

create function networks_hold_finality() returns trigger language plpgsql as $$
declare v_head bigint := (select c.block_number from chain_cursors c where c.network_id = new.id);
begin
  -- A network that nobody has read yet has no block to hold it for. One that was lowered twice holds the highest that is in force.
  if v_head is not null then
    new.confirmations_held := finality_at(old, v_head);
    new.held_until_block := v_head;
  end if;
  return new;
end $$;
create trigger networks_hold_finality before update on networks
  for each row when (new.confirmations_required < old.confirmations_required) execute function networks_hold_finality();
