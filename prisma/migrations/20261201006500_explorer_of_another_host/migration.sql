-- Customers press the explorer's address: one of another host takes a second factor, like fewer confirmations.
create or replace function network_widens(was networks, becomes networks) returns boolean language sql immutable as $$
  select becomes.confirmations_required < was.confirmations_required
    or split_part(becomes.explorer_transaction_template, '/', 3) <> split_part(was.explorer_transaction_template, '/', 3)
$$;
comment on trigger networks_fewer_confirmed on networks is 'fewer confirmations are enough, and another host explains transactions, by a second factor';
