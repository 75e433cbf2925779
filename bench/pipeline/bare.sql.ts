/** The least that a pipeline needs to remember. No attempts, no fence, no history, no inbox, one balance a customer. */
export const BARE_SCHEMA = `
  create table bare_balances (customer_id uuid primary key, available numeric(78, 0) not null check (available >= 0), held numeric(78, 0) not null default 0);
  create table bare_withdrawals (
    id uuid primary key, idempotency_key uuid not null unique, customer_id uuid not null, asset text not null, network text not null,
    address text not null, amount numeric(78, 0) not null, status text not null, transfer_id text,
    requested_at timestamptz not null default clock_timestamp(), submitted_at timestamptz);
  create index bare_withdrawals_customer on bare_withdrawals (customer_id, requested_at desc);
  create index bare_withdrawals_queued on bare_withdrawals (status) where status = 'queued';`;

/** $1 id, $2 key, $3 customer, $4 asset, $5 network, $6 address, $7 amount. One round trip; the known key wins. */
export const BARE_ACCEPT = `
  with known as (select id from bare_withdrawals where idempotency_key = $2),
    hold as (update bare_balances set available = available - $7::numeric, held = held + $7::numeric
      where customer_id = $3 and available >= $7::numeric and not exists (select 1 from known) returning 1),
    added as (insert into bare_withdrawals (id, idempotency_key, customer_id, asset, network, address, amount, status)
      select $1, $2, $3, $4, $5, $6, $7::numeric, 'queued' from hold returning id)
  select id from added union all select id from known`;

/** $1 id */
export const BARE_READ = `select idempotency_key, asset, network, address, amount::text from bare_withdrawals where id = $1 and status = 'queued'`;

/** $1 id, $2 transfer */
export const BARE_SUBMITTED = `
  update bare_withdrawals set status = 'submitted', transfer_id = $2, submitted_at = clock_timestamp() where id = $1 and status = 'queued'`;
