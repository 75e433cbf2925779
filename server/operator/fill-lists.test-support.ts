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
  `update withdrawals w set completing_effect_id = e.id from chain_effects e where e.withdrawal_id = w.id and w.id < '08000000-0000-0000-0000-000000000000'`,
  `insert into ledger_accounts (asset_id, kind, customer_id)
   select 'USDC', k.kind, c.id from customers c cross join (values ('customer_available'), ('customer_held')) k(kind) on conflict do nothing`,
  `insert into ledger_closings (through_transfer_id) values (1)`,
  // Of the house alone, as after a quiet day.
  `insert into ledger_closed_balances (closing_id, account_id, debits_minor, credits_minor)
   select l.id, a.id, 7, 7 from ledger_closings l, ledger_accounts a where a.customer_id is null`,
  `insert into ledger_closed_sums (closing_id, asset_id, kind, debits_minor, credits_minor)
   select c.closing_id, a.asset_id, a.kind, sum(c.debits_minor), sum(c.credits_minor)
   from ledger_closed_balances c join ledger_accounts a on a.id = c.account_id group by 1, 2, 3`,
  `insert into ledger_adjustments (id, asset_id, debit_account_id, credit_account_id, amount_minor, reason, proposed_by, proposed_at, confirmed_by, confirmed_at)
   select md5('adjustment' || n)::uuid, 'USDC', ledger_house_account('USDC', 'suspense'), ledger_house_account('USDC', 'withdrawal_fees'), n, 'rounding',
      md5('customer1')::uuid, protocol_now() - n * interval '1 minute', case when n % 1000 > 1 then md5('customer2')::uuid end,
      case when n % 1000 > 1 then protocol_now() - n * interval '1 minute' end
   from generate_series(1, :rows / 10) n`,
  `insert into reconciliation_runs (cause, asked_by, asked_at, started_at, ended_at, outcome)
   select 'interval', 'worker', t.at, t.at, t.at, case when n % 50 = 0 then 'failed' else 'agreed' end
   from generate_series(1, :rows / 2) n cross join lateral (select protocol_now() - n * interval '1 minute' as at) t`,
  `insert into chain_cursors (network_id, block_number, block_hash, halted_at, halt_reason)
   values ('ethereum', 1, '0x1', protocol_now(), 'another block 1 there')
   on conflict (network_id) do update set block_number = 1, halted_at = excluded.halted_at, halt_reason = excluded.halt_reason`,
  `insert into chain_resumptions (id, network_id, halted_at, from_number, from_hash, from_parent_hash, reason, proposed_by)
   select gen_random_uuid(), c.network_id, c.halted_at, 0, '0x0', '0x', 'a drill', md5('customer1')::uuid from chain_cursors c where c.network_id = 'ethereum'`,
];
