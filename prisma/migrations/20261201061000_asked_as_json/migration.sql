-- One request comes as the many do: as JSON, its fields named as in request_withdrawals. Twenty arguments in a row were packed into it here.

drop function request_withdrawal(uuid, uuid, uuid, text, text, text, text, numeric, numeric, text, text, boolean, uuid, timestamptz, integer, boolean, numeric, text[]);
drop function request_confirmed_withdrawal(uuid, uuid, uuid, text, text, text, text, numeric, numeric, text, text, boolean, uuid, timestamptz, integer, numeric,
  text[], bigint, uuid, text, boolean, boolean);

-- One request that waits for its customer's lock. A known key locks nothing: a repetition writes no log.
create function request_confirmed_withdrawal(p_request jsonb, p_with_confirmation boolean default true, p_with_limits boolean default true)
returns table (outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
begin
  if not exists (select 1 from withdrawals k where k.idempotency_key = (p_request ->> 'key')::uuid) then
    -- "No key": giving up a key refers to the same customer, and would wait for us here while we wait for its key.
    perform 1 from customers c where c.id = (p_request ->> 'customer')::uuid for no key update;
  end if;
  return query select r.outcome, r.outbox_id, r.look_alike, r.w
    from request_withdrawals(jsonb_build_array(p_request), p_with_confirmation, p_with_limits) r;
end $$;

-- The same without a confirmation, and with limits where they are asked for: for what the house itself asks, and for arranging.
create function request_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer,
  p_with_limits boolean default false, p_value numeric default null, p_reasons text[] default '{}'
) returns table (outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language sql volatile as $$
  select * from request_confirmed_withdrawal(jsonb_build_object(
    'id', p_id, 'key', p_key, 'customer', p_customer, 'asset', p_asset, 'network', p_network, 'address', p_address, 'memo', p_memo,
    'amount', p_amount, 'fee', p_fee, 'fee_mode', p_fee_mode, 'refusal', p_refusal, 'needs_approval', p_needs_approval, 'look_alike_of', p_look_alike_of,
    'clicked_at', p_clicked_at, 'refused_daily_max', p_refused_daily_max, 'value', p_value, 'reasons', p_reasons), false, p_with_limits)
$$;

-- Asked by nobody any more: what stops a payment is asked of payout_stops.
drop function payout_stop_reason(withdrawals);
