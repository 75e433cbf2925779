/** $1 id. What custody is asked for; made of what was stored at acceptance, so that every try sends the same bytes. */
export const PEER_READ = `
  select idempotency_key as key, asset, network, address, amount::text,
    to_char((requested_at + interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "notAfter"
  from bare_withdrawals where id = $1 and status = 'queued'`;

/** $1 id, $2 transfer */
export const PEER_SUBMITTED = `
  update bare_withdrawals set status = 'submitted', transfer_id = $2, submitted_at = clock_timestamp() where id = $1 and status = 'queued'`;

/** $1 id */
export const PEER_FAILED = `
  update bare_withdrawals set status = 'failed', submitted_at = clock_timestamp() where id = $1 and status = 'queued'`;

/** What each row says of itself, in the words of all contestants. */
export const PEER_ROWS = `
  select idempotency_key as key, case status when 'queued' then 'open' when 'submitted' then 'sent' else status end as says,
    (extract(epoch from submitted_at - requested_at) * 1000)::float8 as "afterMs"
  from bare_withdrawals`;

/** The same of ours. */
export const OUR_ROWS = `
  select idempotency_key as key,
    case when status in ('queued', 'dispatching', 'in_doubt') then 'open'
      when status in ('submitted', 'broadcast', 'completed') then 'sent' else 'failed' end as says,
    (extract(epoch from coalesce(submitted_at, ended_at) - requested_at) * 1000)::float8 as "afterMs"
  from withdrawals where asset_id = 'USDT'`;
