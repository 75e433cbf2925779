-- Deposits: an address of each network for each customer, and what came in, credited once at finality.
create table deposit_accounts (
  -- The number of the key that custody derives; we hold public keys only.
  derivation_index integer generated always as identity primary key,
  customer_id uuid not null constraint deposit_accounts_customer_unique unique references customers (id)
);
create table deposit_addresses (
  customer_id uuid not null references customers (id),
  network_id text not null references networks (id),
  address text not null,
  -- Where the address is the house's, the tag says whose coins they are.
  memo text,
  -- As the chain's effects write it.
  chain_address text not null,
  primary key (customer_id, network_id),
  constraint deposit_addresses_one_owner unique nulls not distinct (network_id, chain_address, memo)
);
-- Another address under an old name would credit somebody else's coins.
create trigger deposit_addresses_append_only before update or delete or truncate on deposit_addresses
  for each statement execute function refuse_change('deposit_addresses_append_only');

create table deposits (
  effect_id bigint primary key references chain_effects (id),
  -- The source of the ledger transfer.
  id uuid not null default gen_random_uuid() constraint deposits_id_unique unique,
  customer_id uuid not null references customers (id),
  asset_id text not null references assets (id),
  amount_minor numeric(78, 0) not null constraint deposits_amount_positive check (amount_minor > 0),
  credited_at timestamptz not null default protocol_now()
);
create index deposits_customer on deposits (customer_id, credited_at desc);
create trigger deposits_append_only before update or delete or truncate on deposits
  for each statement execute function refuse_change('deposits_append_only');
create index chain_effects_receiver on chain_effects (network_id, to_address);
