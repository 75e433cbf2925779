-- Second factors, and the confirmation of a withdrawal by one of them in the transaction that accepts it.

-- One authenticator a person. The secret is sealed with a key that the database does not hold.
create table totp_factors (
  user_id uuid primary key references users (id) on delete cascade,
  secret_sealed bytea not null,
  -- Null while it is being set up: it confirms nothing yet.
  confirmed_at timestamptz,
  -- The time step of the newest code that was taken. Each code is taken once, so it only grows.
  last_step bigint not null default 0,
  created_at timestamptz not null default protocol_now()
);
create function totp_factors_guard() returns trigger language plpgsql as $$
begin
  if new.secret_sealed = old.secret_sealed and new.last_step < old.last_step then
    raise exception using errcode = 'P0001', constraint = 'totp_factors_code_taken_once', message = 'totp_factors_code_taken_once: a code that was taken is not taken again';
  end if;
  return new;
end $$;
create trigger totp_factors_code_taken_once before update on totp_factors for each row execute function totp_factors_guard();

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  credential_id text not null constraint passkeys_credential_unique unique,
  public_key bytea not null,
  -- What the device last counted to; 0 for devices that do not count.
  counter bigint not null default 0,
  transports text[] not null default '{}',
  label text not null,
  added_at timestamptz not null default protocol_now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_sha256 text not null,
  used_at timestamptz,
  primary key (user_id, code_sha256)
);

-- What a passkey was asked to sign: random bytes hashed together with the values, so that it fits no others.
create table step_up_challenges (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  purpose text not null,
  challenge text not null,
  expires_at timestamptz not null,
  spent_at timestamptz
);
create index step_up_challenges_user on step_up_challenges (user_id, expires_at);
create function step_up_challenges_guard() returns trigger language plpgsql as $$
begin
  if old.spent_at is not null then
    raise exception using errcode = 'P0001', constraint = 'step_up_challenges_spent_once', message = 'step_up_challenges_spent_once: what was signed once confirms once';
  end if;
  return new;
end $$;
create trigger step_up_challenges_spent_once before update on step_up_challenges for each row execute function step_up_challenges_guard();

-- Wrong codes are counted in the database: a Redis that was erased would give a thief another five.
create table step_up_attempts (
  user_id uuid primary key references users (id) on delete cascade,
  failures integer not null default 0,
  locked_until timestamptz
);

-- By what each accepted withdrawal was confirmed, and of which values.
create table step_up_uses (
  withdrawal_id uuid primary key references withdrawals (id),
  method text not null,
  fingerprint_sha256 text not null,
  at timestamptz not null default protocol_now()
);
create trigger step_up_uses_append_only before update or delete or truncate on step_up_uses
  for each statement execute function refuse_change('step_up_uses_append_only');

-- Worth more than this, a request is confirmed; null for never by worth alone.
alter table tiers add column step_up_reference_minor numeric(78, 0);
update tiers set step_up_reference_minor = 2000 * 1e8 where id = 'standard';
update tiers set step_up_reference_minor = 10000 * 1e8 where id = 'verified';

-- Whoever changes a second factor, by whatever path, stops withdrawals for a while and writes to the owner.
create function totp_factors_freeze() returns trigger language plpgsql as $$
begin
  perform freeze_after_security_change(coalesce(new.user_id, old.user_id), case tg_op when 'DELETE' then 'authenticator removed' else 'authenticator added' end);
  return null;
end $$;
create trigger totp_factors_added_freezes after update on totp_factors for each row
  when (old.confirmed_at is null and new.confirmed_at is not null) execute function totp_factors_freeze();
create trigger totp_factors_removed_freezes after delete on totp_factors for each row
  when (old.confirmed_at is not null) execute function totp_factors_freeze();
create function passkeys_freeze() returns trigger language plpgsql as $$
begin
  perform freeze_after_security_change(coalesce(new.user_id, old.user_id), case tg_op when 'DELETE' then 'passkey removed' else 'passkey added' end);
  return null;
end $$;
create trigger passkeys_freeze after insert or delete on passkeys for each row execute function passkeys_freeze();

-- Why a request must be confirmed; none: it need not be. Somebody with a second factor confirms every new address, and
-- everybody confirms what is worth much.
create function step_up_reasons(p_customer uuid, p_network text, p_address text, p_memo text, p_value numeric)
returns text[] language sql stable as $$
  select array_remove(array[
    case when t.step_up_reference_minor < p_value or (p_value is null and t.step_up_reference_minor is not null and f.enrolled) then 'amount' end,
    case when f.enrolled and not exists (
        select 1 from address_book b where b.customer_id = c.id and b.network_id = p_network and b.address = p_address
          and b.memo is not distinct from p_memo and b.removed_at is null and b.usable_from <= protocol_now())
      and not exists (
        select 1 from withdrawals x where x.customer_id = c.id and x.network_id = p_network and x.address = p_address
          and x.memo is not distinct from p_memo and x.status = 'completed')
      then 'new_address' end], null)
  from customers c join tiers t on t.id = c.tier
  cross join lateral (select exists (select 1 from totp_factors o where o.user_id = c.id and o.confirmed_at is not null)
    or exists (select 1 from passkeys k where k.user_id = c.id) as enrolled) f
  where c.id = p_customer
$$;

-- The accepting call, confirmed. A known key is answered whatever came with it; a code or a signature is spent here and
-- nowhere else, together with the request that it confirms.
create function request_confirmed_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer, p_value numeric, p_reasons text[],
  -- The verified code's time step, or the verified challenge; neither for a request that nobody confirmed.
  p_totp_step bigint, p_challenge uuid, p_fingerprint text
) returns table (outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare v record; v_spent boolean := false; v_required boolean;
begin
  v_required := p_refusal is null and not exists (select 1 from withdrawals x where x.idempotency_key = p_key)
    and cardinality(step_up_reasons(p_customer, p_network, p_address, p_memo, p_value)) > 0;
  if v_required then
    -- Our own twin may be spending the same code now: it is the withdrawal, and we are its repetition.
    perform 1 from customers c where c.id = p_customer for no key update;
    v_required := not exists (select 1 from withdrawals x where x.idempotency_key = p_key);
  end if;
  if v_required then
    if p_totp_step is not null then
      update totp_factors f set last_step = p_totp_step
        where f.user_id = p_customer and f.confirmed_at is not null and f.last_step < p_totp_step;
      v_spent := found;
    elsif p_challenge is not null then
      update step_up_challenges s set spent_at = protocol_now()
        where s.id = p_challenge and s.user_id = p_customer and s.spent_at is null and s.expires_at > protocol_now();
      v_spent := found;
    end if;
    if not v_spent then
      return query select 'step_up_required', null::bigint, null::uuid, null::withdrawals;
      return;
    end if;
  end if;
  for v in select * from request_withdrawal(p_id, p_key, p_customer, p_asset, p_network, p_address, p_memo, p_amount, p_fee, p_fee_mode,
      p_refusal, p_needs_approval, p_look_alike_of, p_clicked_at, p_refused_daily_max, true, p_value, p_reasons) loop
    if v_spent and v.outcome = 'new' then
      insert into step_up_uses (withdrawal_id, method, fingerprint_sha256)
        values (p_id, case when p_totp_step is not null then 'totp' else 'passkey' end, p_fingerprint);
    end if;
    return query select v.outcome, v.outbox_id, v.look_alike, v.w;
  end loop;
end $$;
