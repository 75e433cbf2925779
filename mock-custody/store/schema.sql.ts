/** Tables of the provider. Applied at every start; each statement may run again. Written for Postgres 15 and later. */
export const schemaSql = `
create table if not exists setting (name text primary key, value jsonb not null);

create table if not exists transfer (
  id text primary key,
  external_id text not null,
  idempotency_key text not null,
  asset text not null,
  network text not null,
  address text not null,
  memo text,
  amount text not null,
  amount_minor numeric(78,0) not null,
  status text not null check (status in ('accepted','signed','broadcast','confirmed','failed','refused')),
  failure_code text,
  final boolean not null default false,
  not_after timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index if not exists transfer_external_id on transfer (external_id);
create index if not exists transfer_created_at on transfer (created_at, id);
create index if not exists transfer_to_sign on transfer (network, created_at, id) where status = 'accepted';
create index if not exists transfer_open on transfer (network, asset) where status in ('accepted','signed','broadcast');

-- The permanent external id. Apart from transfer, because some profiles keep no such promise.
create table if not exists reference (
  external_id text constraint reference_external_id_unique primary key,
  transfer_id text not null,
  created_at timestamptz not null
);

-- Under these nothing will ever be made: we signed that. No loss of memory and no older copy takes it back.
create table if not exists closed_reference (external_id text primary key, closed_at timestamptz not null);

create table if not exists idempotency_key (
  key text constraint idempotency_key_unique primary key,
  body_hash text not null,
  answer_status integer not null,
  answer text not null,
  created_at timestamptz not null,
  used_at timestamptz not null
);

-- One lane a hot wallet: whoever signs takes the next number in the transaction that stores the signed bytes.
create table if not exists wallet_lane (
  network text not null,
  account text not null,
  next_nonce bigint not null,
  primary key (network, account)
);

-- The signer's journal. It is a store of its own: forgetting transfers or restoring an older copy never touches it.
create table if not exists signed_transaction (
  seq bigint generated always as identity,
  hash text primary key,
  transfer_id text not null,
  network text not null,
  account text not null,
  nonce bigint not null,
  version integer not null default 0,
  raw text not null,
  status text not null check (status in ('signed','broadcast','confirmed','replaced','failed')),
  signed_at timestamptz not null,
  hold_until timestamptz,
  included_height bigint,
  included_block text,
  settled boolean not null default false,
  constraint signed_transaction_nonce_unique unique (network, account, nonce, version)
);
-- Whatever else goes wrong: a transfer gets one number of a lane, and further hashes only as replacements under it.
create unique index if not exists signed_transaction_once on signed_transaction (transfer_id) where version = 0;
create index if not exists signed_transaction_transfer on signed_transaction (transfer_id);
create index if not exists signed_transaction_open on signed_transaction (network, nonce) where not settled;

create table if not exists transfer_log (
  seq bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  custody_at timestamptz not null,
  kind text not null,
  transfer_id text,
  external_id text,
  idempotency_key text,
  network text,
  hash text,
  nonce bigint,
  details jsonb not null default '{}'
);

create table if not exists webhook_event (
  id text primary key,
  seq bigint generated always as identity,
  transfer_id text not null,
  type text not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  next_attempt_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  delivered_at timestamptz,
  given_up_at timestamptz
);
create index if not exists webhook_event_due on webhook_event (next_attempt_at) where delivered_at is null and given_up_at is null;

create table if not exists fault (
  id text primary key,
  seq bigint generated always as identity,
  kind text not null,
  settings jsonb not null,
  remaining integer,
  applied integer not null default 0,
  created_at timestamptz not null default clock_timestamp()
);

create table if not exists http_request (
  seq bigint generated always as identity primary key,
  at timestamptz not null,
  request_id text not null,
  idempotency_key text,
  external_id text,
  body_hash text,
  outcome text not null,
  status integer
);
`;

/** The log is the oracle of every test: nobody may change or empty it, and its numbers follow the order of commits. */
export const logGuardSql = `
create or replace function transfer_log_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'transfer_log is append-only' using errcode = 'restrict_violation';
end $$;
create or replace function transfer_log_in_commit_order() returns trigger language plpgsql as $$
begin
  -- Held until commit, so that a reader who asks for "after N" never misses a lower number that commits later.
  perform pg_advisory_xact_lock(7220001);
  return null;
end $$;
create or replace trigger transfer_log_no_change before update or delete or truncate on transfer_log
  for each statement execute function transfer_log_append_only();
create or replace trigger transfer_log_order before insert on transfer_log
  for each statement execute function transfer_log_in_commit_order();
`;
