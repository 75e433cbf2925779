import { randomBytes, randomUUID } from 'node:crypto';
import type { AcceptanceCall } from '#server/withdrawals/acceptance-call.ts';

/** One dollar and its fee, to an address that nobody was paid at before. */
export function anAcceptanceCall(customer: string): AcceptanceCall {
  return {
    id: randomUUID(),
    key: randomUUID(),
    customer,
    asset: 'USDC',
    network: 'ethereum',
    address: `0x${randomBytes(20).toString('hex')}`,
    memo: null,
    amount: '1000000',
    fee: '500000',
    fee_mode: 'on_top',
    refusal: null,
    needs_approval: false,
    look_alike_of: null,
    clicked_at: null,
    refused_daily_max: 50,
    value: '150000000',
    reasons: [],
    totp_step: null,
    challenge: null,
    fingerprint: null,
  };
}
