/** Ada owns 1,000 USDC in minor units, Ben 50. Carla is a person and no customer. */
export const ADA = '00000000-0000-4000-8000-00000000000a';
export const BEN = '00000000-0000-4000-8000-00000000000b';
export const CARLA = '00000000-0000-4000-8000-00000000000c';

/** An address of the seeded family; what stands in it means nothing to the database. */
export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/**
 * The smallest house in which a withdrawal can live, and `given_withdrawal(status)`: one of Ada's, of 100 and a fee of 1, led there by the
 * legal path with all that belongs to it. Its name is the uuid of its status; `given_sent` is the outcome of its send.
 */
export const HOUSE = `
insert into assets (id, name, decimals) values ('USDC', 'USD Coin', 6), ('ETH', 'Ether', 18);
insert into networks (id, name, family, confirmations_required, explorer_transaction_template)
  values ('ethereum', 'Ethereum', 'evm', 3, 'https://explorer.test/tx/{hash}');
insert into asset_networks (asset_id, network_id, minimum_minor, fee_minor, memo_rule)
  values ('USDC', 'ethereum', 1, 1, 'none'), ('ETH', 'ethereum', 1, 0, 'none');
insert into ledger_accounts (asset_id, kind) select a.id, k.kind from assets a,
  unnest(array['custody_hot', 'withdrawal_fees', 'network_costs', 'suspense', 'opening']) as k(kind);
insert into users (id, name, email) values ('${ADA}', 'Ada', 'ada@guards.test'), ('${BEN}', 'Ben', 'ben@guards.test'),
  ('${CARLA}', 'Carla', 'carla@guards.test');

create function given_customer(p_customer uuid, p_asset text, p_amount numeric) returns void language plpgsql as $$
declare a bigint; h bigint; t bigint;
begin
  insert into customers (id) values (p_customer) on conflict do nothing;
  insert into ledger_accounts (asset_id, kind, customer_id) values (p_asset, 'customer_available', p_customer) returning id into a;
  insert into ledger_accounts (asset_id, kind, customer_id) values (p_asset, 'customer_held', p_customer) returning id into h;
  insert into ledger_accounts (asset_id, kind, customer_id) values (p_asset, 'customer_receivable', p_customer);
  insert into customer_balances (customer_id, asset_id, available_account_id, held_account_id) values (p_customer, p_asset, a, h);
  insert into ledger_transfers (asset_id, kind, source_id) values (p_asset, 'opening', gen_random_uuid()) returning id into t;
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    values (t, 1, p_asset, ledger_house_account(p_asset, 'opening'), a, p_amount);
end $$;
select given_customer('${ADA}', 'USDC', 1000), given_customer('${BEN}', 'USDC', 50);

-- A person of the house confirms a deed with the next code of their authenticator.
create function given_confirmed(p_user text, p_deed text, p_subject text) returns boolean language plpgsql as $$
declare v_step bigint; v_user uuid := p_user::uuid;
begin
  insert into totp_factors as f (user_id, secret_sealed, confirmed_at, last_step) values (v_user, '\\x00', protocol_now(), 1)
    on conflict (user_id) do update set last_step = f.last_step returning f.last_step + 1 into v_step;
  return confirm_deed(v_user, p_deed, p_subject, deed_fingerprint(p_deed, p_subject), v_step, null);
end $$;

create function given_id(p_status text) returns uuid language sql immutable as $$ select md5(p_status)::uuid $$;

create function given_withdrawal(p_status text, p_sent text default 'not_sent') returns uuid language plpgsql as $$
declare
  v_id uuid := given_id(p_status); v_next text; w withdrawals;
  v_path text[] := case p_status
    when 'dispatching' then array['dispatching'] when 'in_doubt' then array['dispatching', 'in_doubt']
    when 'submitted' then array['dispatching', 'submitted'] when 'broadcast' then array['dispatching', 'submitted', 'broadcast']
    when 'completed' then array['dispatching', 'submitted', 'broadcast', 'completed'] when 'failed' then array['dispatching', 'in_doubt', 'failed']
    when 'cancelled' then array['cancelled'] when 'rejected' then array['rejected'] else array[]::text[] end;
begin
  perform request_withdrawal(v_id, v_id, '${ADA}', 'USDC', 'ethereum', '${ADDRESS}' || p_status, null, 100, 1, 'on_top',
    case p_status when 'refused' then 'insufficient_funds' end, p_status in ('awaiting_approval', 'rejected'), null, null, 100);
  foreach v_next in array v_path loop
    if v_next = 'dispatching' then
      insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256, outcome)
        values (v_id, 1, 'send', 1, 'mock', 'main', 'bytes', 'hash', nullif(p_sent, 'unknown'));
    end if;
    update withdrawals x set status = v_next, fence = case v_next when 'dispatching' then 1 else x.fence end,
      provider = case when v_next in ('cancelled', 'rejected') then null else 'mock' end,
      provider_account = case when v_next in ('cancelled', 'rejected') then null else 'main' end,
      transfer_id = case when v_next = 'submitted' then 'transfer of ' || p_status else x.transfer_id end,
      transaction_hash = case when v_next = 'broadcast' then '0xabc' else x.transaction_hash end,
      failure_code = case when v_next = 'failed' then 'refused_by_custody' end
      where x.id = v_id returning * into w;
    if v_next = 'completed' then perform ledger_post(w); end if;
    if v_next in ('failed', 'cancelled', 'rejected') then perform ledger_void(w); end if;
  end loop;
  return v_id;
end $$;
`;
