import type { Statement } from '#server/db/database.ts';

/** Everything that was written about one withdrawal beside its row, as JSON lists in order, in one look. */
export const findEvidenceSql: Statement = {
  name: 'find_evidence',
  text: `
    select
      (select coalesce(json_agg(json_build_object('from', h.from_status, 'to', h.to_status, 'at', h.at, 'actor', h.actor,
          'actorName', (select u.name from users u where u.id = case when h.actor ~ '^[0-9a-f-]{36}$' then h.actor::uuid end),
          'reason', h.reason, 'note', h.evidence ->> 'note', 'fence', h.fence::text) order by h.id), '[]')
        from withdrawal_history h where h.withdrawal_id = w.id) as history,
      (select coalesce(json_agg(json_build_object('attempt', t.attempt, 'kind', t.kind, 'startedAt', t.started_at,
          'bodySha256', t.body_sha256, 'outcome', t.outcome, 'outcomeAt', t.outcome_at, 'detail', t.detail,
          'notAfter', t.not_after, 'lateOutcome', t.late_outcome) order by t.attempt), '[]')
        from withdrawal_attempts t where t.withdrawal_id = w.id) as attempts,
      (select coalesce(json_agg(json_build_object('id', e.event_id, 'type', e.event_type, 'receivedAt', e.received_at,
          'appliedAt', e.applied_at, 'outcome', e.outcome, 'reason', e.reason) order by e.received_at, e.event_id), '[]')
        from inbox_events e where e.reference = w.idempotency_key) as events,
      (select coalesce(json_agg(json_build_object('kind', l.kind, 'at', l.created_at, 'leg', n.leg, 'debit', d.kind,
          'credit', c.kind, 'amountMinor', n.amount_minor::text) order by l.id, n.leg), '[]')
        from ledger_transfers l join ledger_entries n on n.transfer_id = l.id join ledger_accounts d on d.id = n.debit_account_id
          join ledger_accounts c on c.id = n.credit_account_id
        where l.source_id = w.id) as ledger,
      (select coalesce(json_agg(json_build_object('hash', x.transaction_hash, 'source', x.source, 'at', x.first_seen_at,
          'deadAt', x.dead_at, 'deadReason', x.dead_reason) order by x.first_seen_at), '[]')
        from withdrawal_transactions x where x.withdrawal_id = w.id) as transactions,
      (select coalesce(json_agg(json_build_object('hash', f.transaction_hash, 'block', f.block_number::text, 'state', f.state,
          'at', f.seen_at) order by f.id), '[]')
        from chain_effects f where f.withdrawal_id = w.id) as effects,
      (select u.email from users u where u.id = w.customer_id) as customer_email
    from withdrawals w where w.id = $1`,
};
