-- Rolling sums that cost the same after thirty days as after one. Every hold is added to an hour and to a day, every void is
-- taken from them again, so a limit reads at most thirty days, forty-six hours and the rows of one hour that lies on the edge.

create table withdrawal_usage (
  customer_id uuid not null references customers (id),
  asset_id text not null references assets (id),
  span_hours smallint not null constraint withdrawal_usage_span check (span_hours in (1, 24)),
  begins_at timestamptz not null,
  value_reference_minor numeric(78, 0) not null,
  total_minor numeric(78, 0) not null,
  requests integer not null,
  primary key (customer_id, span_hours, begins_at, asset_id),
  -- Nothing is given back that was not counted.
  constraint withdrawal_usage_not_negative check (least(value_reference_minor, total_minor, requests) >= 0)
) with (fillfactor = 80);
-- What is forgotten is older than the longest window.
create index withdrawal_usage_begins on withdrawal_usage (begins_at);

-- The origin is fixed, because midnight of a session's time zone is somebody else's noon.
create function usage_span(p_at timestamptz, p_hours integer) returns timestamptz language sql immutable parallel safe as
$$ select date_bin(p_hours * interval '1 hour', p_at, '2000-01-01 00:00:00Z') $$;

-- Nobody books between the count and the trigger that goes on counting.
lock table ledger_transfers in share row exclusive mode;
insert into withdrawal_usage
  select w.customer_id, w.asset_id, s.hours, usage_span(w.requested_at, s.hours), sum(coalesce(w.value_reference_minor, 0)), sum(w.total_minor), count(*)
  from withdrawals w cross join (values (1), (24)) s(hours)
  where w.requested_at > protocol_now() - interval '32 days' and w.status not in ('refused', 'cancelled', 'rejected', 'failed')
  group by 1, 2, 3, 4;

-- Beside the hold and the void, and before their entries: whoever takes and whoever gives back lock in the same order, the
-- hour, the day, the balance.
-- Once a statement, like everything else that an insert sets off; the spans of many customers are locked in their order.
create function count_withdrawal_usage() returns trigger language plpgsql as $$
begin
  -- A hold of nothing is refused at commit (ledger_transfers_move_what_they_say).
  if exists (select 1 from added t where t.kind = 'hold') then
    insert into withdrawal_usage as u (customer_id, asset_id, span_hours, begins_at, value_reference_minor, total_minor, requests)
      select w.customer_id, w.asset_id, s.hours, usage_span(w.requested_at, s.hours), sum(coalesce(w.value_reference_minor, 0)), sum(w.total_minor), count(*)
      from added t join withdrawals w on w.id = t.source_id cross join (values (1::smallint), (24::smallint)) s(hours)
      where t.kind = 'hold' group by 1, 2, 3, 4 order by 1, 3, 4, 2
      on conflict (customer_id, span_hours, begins_at, asset_id) do update set
        value_reference_minor = u.value_reference_minor + excluded.value_reference_minor,
        total_minor = u.total_minor + excluded.total_minor, requests = u.requests + excluded.requests;
  end if;
  if exists (select 1 from added t where t.kind = 'void') then
    -- The hour before the day, as where they are taken.
    perform 1 from withdrawal_usage u join (
        select distinct w.customer_id, w.asset_id, s.hours, usage_span(w.requested_at, s.hours) as begins_at
        from added t join withdrawals w on w.id = t.source_id cross join (values (1), (24)) s(hours) where t.kind = 'void') d
      on u.customer_id = d.customer_id and u.asset_id = d.asset_id and u.span_hours = d.hours and u.begins_at = d.begins_at
      order by u.customer_id, u.span_hours, u.begins_at, u.asset_id for update of u;
    update withdrawal_usage u set value_reference_minor = u.value_reference_minor - d.value, total_minor = u.total_minor - d.total,
        requests = u.requests - d.requests
      from (select w.customer_id, w.asset_id, s.hours, usage_span(w.requested_at, s.hours) as begins_at, sum(coalesce(w.value_reference_minor, 0)) as value,
          sum(w.total_minor) as total, count(*) as requests
        from added t join withdrawals w on w.id = t.source_id cross join (values (1), (24)) s(hours) where t.kind = 'void' group by 1, 2, 3, 4) d
      where u.customer_id = d.customer_id and u.asset_id = d.asset_id and u.span_hours = d.hours and u.begins_at = d.begins_at;
  end if;
  return null;
end $$;
create trigger ledger_transfers_count_usage after insert on ledger_transfers referencing new table as added
  for each statement execute function count_withdrawal_usage();

-- What a customer asked for after an instant and was not given back, by asset: the days that lie in it whole, the hours of the
-- day on its edge, and the rows of the hour on its edge. Exact to the instant, and read by the quote as by the accepting call.
create function withdrawals_counted_since(p_customer uuid, p_since timestamptz)
returns table (asset_id text, value_reference_minor numeric, total_minor numeric, requests bigint) language sql stable as $$
  select u.asset_id, u.value_reference_minor, u.total_minor, u.requests::bigint from withdrawal_usage u
    where u.customer_id = p_customer and u.span_hours = 24 and u.begins_at > usage_span(p_since, 24)
  union all
  select u.asset_id, u.value_reference_minor, u.total_minor, u.requests from withdrawal_usage u
    where u.customer_id = p_customer and u.span_hours = 1 and u.begins_at > usage_span(p_since, 1)
      and u.begins_at < usage_span(p_since, 24) + interval '24 hours'
  union all
  select w.asset_id, coalesce(w.value_reference_minor, 0), w.total_minor, 1 from withdrawals w
    where w.customer_id = p_customer and w.requested_at > p_since and w.requested_at < usage_span(p_since, 1) + interval '1 hour'
      and w.status not in ('refused', 'cancelled', 'rejected', 'failed')
$$;
