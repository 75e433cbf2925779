-- Whether a wake-up of this withdrawal waits, or was given lately. Volatile, so that it sees what was committed since the statement that
-- asks began: two sweepers that take one row one after the other would both find it unwoken by what they saw at their start.
create function is_awake(of_withdrawal uuid, repeat_ms double precision) returns boolean language sql volatile as $$
  select exists (select 1 from outbox o where o.withdrawal_id = of_withdrawal
    and (o.relayed_at is null or o.relayed_at > protocol_now() - repeat_ms * interval '1 millisecond'))
$$;
