import type { WithdrawalRow } from '#server/withdrawals/withdrawal-row.ts';

const AT = new Date('2026-11-30T12:00:00.000Z');

/** A queued withdrawal of 1.5 USDC as the driver gives it, with whatever a test changes. */
export function aWithdrawalRow(more: Partial<WithdrawalRow> = {}): WithdrawalRow & { now: Date } {
  return {
    now: AT,
    id: '01936b2e-0000-7000-8000-000000000001',
    idempotency_key: '7b1c9f52-3a4d-4e8e-9d0f-1a2b3c4d5e6f',
    customer_id: '0f4b6f0a-5d0c-4e8e-9d0f-1a2b3c4d5e6f',
    asset_id: 'USDC',
    network_id: 'ethereum',
    address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    memo: null,
    amount_minor: '1500000',
    fee_minor: '500000',
    total_minor: '2000000',
    fee_mode: 'on_top',
    look_alike_of: null,
    status: 'queued',
    status_since: AT,
    refusal_code: null,
    failure_code: null,
    fence: '0',
    revision: '0',
    next_action_at: null,
    wait_reason: null,
    parked_at: null,
    parked_reason: null,
    provider: null,
    provider_account: null,
    transfer_id: null,
    transaction_hash: null,
    confirmations: 0,
    confirmations_required: 12,
    completing_effect_id: null,
    clicked_at: null,
    requested_at: AT,
    submitted_at: null,
    broadcast_at: null,
    ended_at: null,
    updated_at: AT,
    ...more,
  };
}
