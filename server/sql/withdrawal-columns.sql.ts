const NAMES = [
  'id',
  'idempotency_key',
  'customer_id',
  'asset_id',
  'network_id',
  'address',
  'memo',
  'amount_minor',
  'fee_minor',
  'total_minor',
  'fee_mode',
  'look_alike_of',
  'status',
  'status_since',
  'refusal_code',
  'failure_code',
  'fence',
  'revision',
  'next_action_at',
  'wait_reason',
  'parked_at',
  'parked_reason',
  'provider',
  'provider_account',
  'transfer_id',
  'transaction_hash',
  'confirmations',
  'confirmations_required',
  'completing_effect_id',
  'clicked_at',
  'requested_at',
  'submitted_at',
  'broadcast_at',
  'ended_at',
  'updated_at',
] as const;

/**
 * The columns of `WithdrawalRow`, by name and never by `*`: a column added by a migration must not change the result type
 * of a statement that running processes have already planned.
 *
 * @param source the alias of the table, `w`, or a composite in parentheses, `(r.w)`
 */
export function withdrawalColumns(source: string): string {
  return NAMES.map((name) => `${source}.${name}`).join(', ');
}
