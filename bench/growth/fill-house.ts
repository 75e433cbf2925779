import pg from 'pg';

/**
 * So many withdrawals at a steady pace until now, as the product would have left them, with attempts, history, events, effects, notices and
 * bookings; written past every trigger and in bites, for a million of them one by one would take an hour. Nearly all have ended.
 *
 * @param input.url of a house that `openBenchHouse` furnished
 */
export async function fillHouse(
  deps: { log: (line: string) => void; signal: AbortSignal },
  input: { url: string; rows: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: input.url });
  await client.connect();
  try {
    // What is lost by a crash here is filled again.
    await client.query(`set session_replication_role = replica; set synchronous_commit = off`);
    for (let from = 1; from <= input.rows; from += BITE) {
      deps.signal.throwIfAborted();
      const to = Math.min(input.rows, from + BITE - 1);
      for (const step of STEPS) await client.query(fillIn(step, { from, to, rows: input.rows }));
      deps.log(`filled with ${to} of ${input.rows}`);
    }
    await client.query(USAGE);
    await client.query(BALANCES);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

const BITE = 100_000;

function fillIn(text: string, numbers: Readonly<Record<string, number>>): string {
  return Object.entries(numbers).reduce((filled, [name, value]) => filled.replaceAll(`:${name}`, String(value)), text);
}

/** In the order of their time, as the product's are. */
const ID = `(lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0') || '7' || substr(md5('id' || n), 1, 3) || 'a' || substr(md5('id' || n), 4, 15))::uuid`;
const BITTEN = `w.refusal_code is distinct from 'given_up' and w.transfer_id between 'filled' || lpad(:from::text, 9, '0') and 'filled' || lpad(:to::text, 9, '0')`;

/** Some twenty to an address, all of one customer's: a search finds as many however long the history is. */
const ADDRESS = `'0x' || md5('a' || n % (400 * greatest(1, :rows / 8000))) || 'abcdef01'`;

const STEPS = [
  `insert into withdrawals (id, idempotency_key, customer_id, asset_id, network_id, address, amount_minor, fee_minor, total_minor, fee_mode, status, status_since,
      requested_at, submitted_at, broadcast_at, ended_at, updated_at, transfer_id, provider, provider_account, transaction_hash, confirmations,
      confirmations_required, approvals_required, fence, revision, value_reference_minor, next_action_at, failure_code)
   select ${ID}, md5('key' || n)::uuid, c.id, 'USDC', 'ethereum', ${ADDRESS}, 10000000, 500000, 10500000, 'on_top',
      s.status, t.at, t.at, t.at, case when s.status in ('completed', 'broadcast') then t.at end,
      case when s.status in ('completed', 'failed') then t.at end, t.at, 'filled' || lpad(n::text, 9, '0'), 'custody', 'main',
      case when s.status in ('completed', 'broadcast') then '0x' || md5('t' || n) || md5('u' || n) end, 12, 12, 0, 1, 4, 1000,
      case when s.status in ('submitted', 'broadcast') then protocol_now() + interval '1 day' end,
      case when s.status = 'failed' then 'rejected' end
   from generate_series(:from, :to) n join (select id, n as number from bench_customers) c on c.number = 1 + (n::bigint * 7919) % 400
   -- A million a year, however many there are: houses differ in how long they have been open, not in how busy they are.
   cross join lateral (select protocol_now() - (:rows - n + 1) * interval '31.536 seconds' as at) t
   -- A hundred are open, however many there are: what is under way is the day's, not the history's.
   cross join lateral (select case when n > :rows - 50 then 'submitted' when n > :rows - 100 then 'broadcast' when n % 500 = 5 then 'failed'
      else 'completed' end as status) s`,
  `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, not_after, body, body_sha256, outcome, started_at, outcome_at, transfer_id, detail)
   select w.id, 1, 'send', 1, 'custody', 'main', w.requested_at, decode(repeat(md5(w.id::text), 8), 'hex'), md5(w.id::text) || md5(w.address), 'accepted',
      w.requested_at, w.requested_at, w.transfer_id, '{"status": 201}' from withdrawals w where ${BITTEN}`,
  `insert into withdrawal_history (withdrawal_id, from_status, to_status, at, actor, reason, fence, evidence)
   select w.id, m.was, m.becomes, w.requested_at, m.actor, m.reason, 1, '{"attempt": 1}' from withdrawals w
   cross join (values (null, 'queued', 'customer', 'accepted'), ('queued', 'dispatching', 'worker', 'claimed'), ('dispatching', 'submitted', 'worker', 'custody accepted it'),
     ('submitted', 'broadcast', 'inbox', 'custody sent it'), ('broadcast', 'completed', 'chain', 'final on the chain')) as m(was, becomes, actor, reason) where ${BITTEN}`,
  `insert into withdrawal_transactions (withdrawal_id, transaction_hash, nonce, source, first_seen_at)
   select w.id, w.transaction_hash, 1, 'event', w.requested_at from withdrawals w where w.transaction_hash is not null and ${BITTEN}`,
  `insert into inbox_events (provider, event_id, event_type, reference, body, body_sha256, signed_at, received_at, next_attempt_at, applied_at, outcome, attempts)
   select 'custody', w.transfer_id || e.type, e.type, w.idempotency_key, decode(repeat(md5(w.id::text), 25), 'hex'), md5(w.id::text) || md5(e.type),
      w.requested_at, w.requested_at, w.requested_at, w.requested_at, 'applied', 1 from withdrawals w
   cross join unnest(array['transfer.accepted', 'transfer.broadcast', 'transfer.confirmed']) as e(type) where ${BITTEN}`,
  `insert into chain_effects (network_id, transaction_hash, ordinal, from_address, to_address, amount_minor, block_number, block_hash, state, withdrawal_id, seen_at)
   select 'ethereum', w.transaction_hash, 0, '0x' || md5('hot') || 'abcdef01', w.address, w.amount_minor, 1, '0x' || md5('block'), 'final', w.id, w.requested_at
   from withdrawals w where w.status = 'completed' and ${BITTEN}`,
  `insert into notifications (subject_id, kind, user_id, sent_at)
   select w.id, 'withdrawal_sent', w.customer_id, w.requested_at from withdrawals w where w.status = 'completed' and ${BITTEN}`,
  `with moved as (insert into ledger_transfers (asset_id, kind, source_id, created_at)
     select 'USDC', k.kind, w.id, w.requested_at from withdrawals w cross join (values ('hold'), ('end')) as e(place)
     cross join lateral (select case when e.place = 'hold' then 'hold' when w.status = 'completed' then 'post' when w.status = 'failed' then 'void' end as kind) k
     where k.kind is not null and ${BITTEN} returning id, kind, source_id)
   insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
     select m.id, l.leg, 'USDC', l.debit, l.credit, l.amount from moved m join withdrawals w on w.id = m.source_id
     join customer_balances b on b.customer_id = w.customer_id and b.asset_id = 'USDC'
     cross join lateral (values ('hold', 1, b.available_account_id, b.held_account_id, w.total_minor),
       ('void', 1, b.held_account_id, b.available_account_id, w.total_minor),
       ('post', 1, b.held_account_id, ledger_house_account('USDC', 'custody_hot'), w.amount_minor),
       ('post', 2, b.held_account_id, ledger_house_account('USDC', 'withdrawal_fees'), w.fee_minor)) as l(kind, leg, debit, credit, amount)
     where l.kind = m.kind`,
];

/** What counts toward the limits of a month, as the accepting call would have counted it. */
const USAGE = `
  insert into withdrawal_usage (customer_id, asset_id, span_hours, begins_at, value_reference_minor, total_minor, requests)
  select customer_id, asset_id, s.span, date_trunc(s.unit, requested_at), sum(value_reference_minor), sum(total_minor), count(*)
  from withdrawals cross join (values (1, 'hour', 2), (24, 'day', 31)) as s(span, unit, days)
  where status <> 'refused' and requested_at > protocol_now() - s.days * interval '1 day' group by 1, 2, 3, 4
  on conflict do nothing`;

/** The balances that the entries add up to, which a trigger would have kept. */
const BALANCES = `
  update customer_balances b set available_minor = available_minor + s.available, held_minor = held_minor + s.held
  from (
    select b.customer_id, sum(case when m.account_id = b.available_account_id then m.amount else 0 end) as available,
      sum(case when m.account_id = b.held_account_id then m.amount else 0 end) as held
    from customer_balances b join (
      select debit_account_id as account_id, -amount_minor as amount, transfer_id from ledger_entries
      union all select credit_account_id, amount_minor, transfer_id from ledger_entries) m on m.account_id in (b.available_account_id, b.held_account_id)
    join ledger_transfers t on t.id = m.transfer_id and t.kind in ('hold', 'post', 'void')
    where b.asset_id = 'USDC' group by 1) s
  where b.customer_id = s.customer_id and b.asset_id = 'USDC'`;
