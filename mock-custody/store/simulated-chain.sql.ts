/** The simulated networks: another world, which forgetting transfers or restoring a copy never touches. */
export const simulatedChainSql = `
create table if not exists simulated_block (
  network text not null,
  height bigint not null,
  hash text not null,
  parent_hash text not null,
  at timestamptz not null,
  primary key (network, height)
);
create table if not exists simulated_transaction (
  network text not null,
  hash text not null,
  seq bigint generated always as identity,
  account text not null,
  nonce bigint not null,
  fee bigint not null default 1,
  asset text not null,
  recipient text not null,
  memo text,
  amount text not null,
  fate text not null check (fate in ('included','fails','stuck','rejected')),
  status text not null check (status in ('pending','success','failed','spent','expired')),
  valid_until_height bigint,
  height bigint,
  position integer,
  primary key (network, hash)
);
create index if not exists simulated_transaction_height on simulated_transaction (network, height);
create index if not exists simulated_transaction_lane on simulated_transaction (network, account, nonce);
create index if not exists simulated_transaction_expired on simulated_transaction (network, valid_until_height) where status = 'expired';
create index if not exists simulated_transaction_pending on simulated_transaction (network, seq) where status = 'pending';

-- One block. With take = false it stays empty, as the first blocks of a longer branch do.
create or replace function simulated_mine(of_network text, take boolean) returns bigint language plpgsql as $$
declare
  parent simulated_block;
  next_height bigint;
begin
  perform pg_advisory_xact_lock(7220002, hashtext(of_network));
  select * into parent from simulated_block where network = of_network order by height desc limit 1;
  next_height := coalesce(parent.height, 0) + 1;
  insert into simulated_block (network, height, hash, parent_hash, at)
    values (of_network, next_height, encode(sha256(convert_to(of_network || next_height || coalesce(parent.hash, '') || gen_random_uuid(), 'UTF8')), 'hex'),
      coalesce(parent.hash, repeat('0', 64)), clock_timestamp());
  update simulated_transaction set status = 'expired'
    where network = of_network and status = 'pending' and valid_until_height < next_height;
  if take then
    -- Of several for one number the dearest is taken, and the others can never be.
    with best as (
      select distinct on (account, nonce) hash, seq from simulated_transaction
      where network = of_network and status = 'pending' and fate in ('included','fails')
      order by account, nonce, fee desc, seq
    ), placed as (
      select hash, row_number() over (order by seq) - 1 as position from (select * from best order by seq limit 500) first_in
    )
    update simulated_transaction t set status = case t.fate when 'fails' then 'failed' else 'success' end,
      height = next_height, position = placed.position
      from placed where t.network = of_network and t.hash = placed.hash;
    update simulated_transaction t set status = 'spent' where t.network = of_network and t.status = 'pending'
      and exists (select 1 from simulated_transaction o where o.network = t.network and o.account = t.account and o.nonce = t.nonce
        and o.status in ('success','failed'));
  end if;
  return next_height;
end $$;

-- The top blocks go; their transactions return to the pool or, dropped, are known to nobody but who signed them.
create or replace function simulated_reorg(of_network text, depth integer, dropped boolean) returns void language plpgsql as $$
declare
  keep_height bigint;
begin
  perform pg_advisory_xact_lock(7220002, hashtext(of_network));
  select coalesce(max(height), 0) - depth into keep_height from simulated_block where network = of_network;
  delete from simulated_block where network = of_network and height > keep_height;
  if dropped then
    delete from simulated_transaction where network = of_network and (height > keep_height or status = 'spent');
  else
    update simulated_transaction set status = 'pending', height = null, position = null
      where network = of_network and (height > keep_height or status = 'spent');
  end if;
  for turn in 1..depth loop perform simulated_mine(of_network, false); end loop;
  perform simulated_mine(of_network, true);
end $$;
`;
