import type { TestDatabase } from '#server/db/test-database.ts';

/**
 * So many withdrawals over a year, nearly all ended, with what belongs to them, written past every trigger: it is about reading. As many
 * customers; one in a thousand withdrawals is open, one in ten thousand parked.
 */
export async function fillLists(database: TestDatabase, input: { rows: number }): Promise<void> {
  const { rows } = input;
  const client = await database.connect();
  try {
    await client.query(`set session_replication_role = replica`);
    for (const step of STEPS) await client.query(step.replaceAll(':rows', String(rows)));
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

const CUSTOMER = `md5('customer' || (1 + n % :rows))::uuid`;
const STEPS = [
  `insert into users (id, name, email) select md5('customer' || n)::uuid, 'Customer', 'customer' || n || '@plans.test' from generate_series(1, :rows) n`,
  `insert into customers (id) select md5('customer' || n)::uuid from generate_series(1, :rows) n`,
  `insert into withdrawals (id, idempotency_key, customer_id, asset_id, network_id, address, amount_minor, fee_minor, total_minor, fee_mode, status, status_since,
      requested_at, submitted_at, ended_at, updated_at, transfer_id, provider, provider_account, transaction_hash, confirmations_required, approvals_required,
      parked_at, parked_reason, refusal_code, failure_code)
   select md5('id' || n)::uuid, md5('key' || n)::uuid, ${CUSTOMER}, 'USDC', 'ethereum', '0x' || md5('a' || n % 5000) || 'AbCdEf01', 10000000, 500000, 10500000, 'on_top',
      s.status, t.at, t.at, case when s.status in ('completed', 'submitted', 'broadcast') then t.at end,
      case when s.status in ('completed', 'failed', 'cancelled', 'refused') then t.at end, t.at,
      case when s.status in ('completed', 'submitted', 'broadcast') then 'transfer' || n end, 'mock', 'main',
      case when s.status in ('completed', 'broadcast') then '0x' || md5('t' || n) || md5('u' || n) end, 3, case when s.status = 'awaiting_approval' then 1 else 0 end,
      case when n % 10000 = 1 then t.at end, case when n % 10000 = 1 then 'attempts_exhausted' end,
      case when s.status = 'refused' then 'insufficient_funds' end, case when s.status = 'failed' then 'rejected' end
   from generate_series(1, :rows) n
   cross join lateral (select protocol_now() - (n * 365.0 / :rows) * interval '1 day' as at) t
   cross join lateral (select case when n % 10000 = 1 then 'in_doubt' when n % 1000 = 2 then 'queued' when n % 2000 = 3 then 'submitted'
      when n % 4000 = 4 then 'awaiting_approval' when n % 500 = 5 then 'failed' when n % 100 = 6 then 'refused' when n % 200 = 7 then 'cancelled'
      else 'completed' end as status) s`,
  `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256, outcome, started_at, outcome_at)
   select w.id, 1, 'send', 1, 'mock', 'main', 'bytes', 'hash', 'accepted', w.requested_at, w.requested_at from withdrawals w where w.status in ('completed', 'in_doubt')`,
  `insert into withdrawal_history (withdrawal_id, to_status, at, actor, reason, fence)
   select w.id, w.status, w.requested_at, 'worker', 'x', 1 from withdrawals w`,
  `insert into inbox_events (provider, event_id, event_type, reference, body, body_sha256, signed_at, received_at, applied_at, outcome)
   select 'mock', w.id::text, 'transfer.confirmed', w.idempotency_key, 'body', 'hash', w.requested_at, w.requested_at, w.requested_at, 'applied'
   from withdrawals w where w.status = 'completed'`,
  `insert into audit_log (seq, actor_id, action, subject, previous_hash, hash) overriding system value
   select n, md5('customer' || n % 50)::uuid::text, 'switch.pause', 'subject ' || n % 5000, 'p' || n, 'h' || n from generate_series(1, :rows) n`,
  `insert into notifications (subject_id, kind, user_id, sent_at) select w.id, 'withdrawal_sent', w.customer_id, w.requested_at from withdrawals w`,
  `insert into chain_effects (network_id, transaction_hash, ordinal, from_address, to_address, amount_minor, block_number, block_hash, state, withdrawal_id)
   select 'ethereum', w.transaction_hash, 0, 'hot', lower(w.address), w.amount_minor, 1, '0x1', 'final', w.id from withdrawals w where w.status = 'completed'`,
];
